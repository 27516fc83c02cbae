import type { Factor } from '@supabase/auth-js'
import { logWarning } from '../browser/log.ts'
import { withRecentSignIn } from './reauthentication.ts'
import { authClient, refreshUser, throwProviderError } from './session.ts'

// The second factor of the own account. All throw the auth provider's error.

/** An authenticator app that gives codes. */
export type Authenticator = Pick<Factor, 'id' | 'friendly_name' | 'created_at'>

/** What a session has to prove, or an account to show: the authenticators that count. */
export const authenticatorsOf = (factors: readonly Factor[]): Authenticator[] =>
  factors.filter(({ factor_type, status }) => factor_type === 'totp' && status === 'verified')

export async function listAuthenticators(): Promise<Authenticator[]> {
  const { data, error } = await authClient().mfa.listFactors()
  throwProviderError(error)
  return data?.totp ?? []
}

/** Proves the second factor by a code of an authenticator; the session is another one from then on. */
export async function proveByCode(factorId: string, code: string): Promise<void> {
  const { error } = await authClient().mfa.challengeAndVerify({ factorId, code })
  throwProviderError(error)
  await refreshUser()
}

/** Proves the second factor by a recovery code, which is used up by it. */
export async function proveByRecoveryCode(code: string): Promise<void> {
  const { error } = await authClient().mfa.recoveryCodes.verify({ code })
  throwProviderError(error)
  await refreshUser()
}

/** What an authenticator app has to be told. */
export interface Enrolment {
  factorId: string
  /** A picture, as a `data:` address. */
  qrCode: string
  /** The same in Base32, for typing. */
  secret: string
  /** The same as an address, which opens the app where this page is on the same phone. */
  uri: string
}

/** Begins to enrol an authenticator; it counts once a code of it is proved, within five minutes. */
export async function startEnrolment(): Promise<Enrolment> {
  const friendlyName = await findFreeName()
  return withRecentSignIn(async () => {
    const { data, error } = await authClient().mfa.enroll({ factorType: 'totp', friendlyName })
    throwProviderError(error)
    if (!data) throw new Error('The enrolment brought nothing.')
    const { qr_code: qrCode, secret, uri } = data.totp
    return { factorId: data.id, qrCode, secret, uri }
  })
}

/** Gives an enrolment up; one that stays behind ends by itself. */
export async function cancelEnrolment({ factorId }: Enrolment): Promise<void> {
  const { error } = await authClient().mfa.unenroll({ factorId })
  if (error) logWarning('The enrolment could not be taken back; it ends within five minutes.', error)
}

/** No two factors of an account have one name, those included that do not count yet. */
async function findFreeName(): Promise<string> {
  const { data, error } = await authClient().mfa.listFactors()
  throwProviderError(error)
  const taken = new Set(data?.all.map(({ friendly_name: name }) => name))
  let name = 'Authenticator app'
  for (let number = 2; taken.has(name); number += 1) name = `Authenticator app ${number}`
  return name
}

/** Removes an authenticator; without any, the account has no second factor and no recovery codes. */
export async function removeAuthenticator(factorId: string): Promise<void> {
  await withRecentSignIn(async () => {
    const { error } = await authClient().mfa.unenroll({ factorId })
    throwProviderError(error)
  })
  // What the tokens say of the session may not hold any more.
  await authClient().refreshSession()
  await refreshUser()
}

/** How many recovery codes are left, of how many; null where there are none. */
export async function countRecoveryCodes(): Promise<{ remaining: number; total: number } | null> {
  const { data, error } = await authClient().mfa.recoveryCodes.getStatus()
  if (error?.code === 'mfa_factor_not_found') return null
  throwProviderError(error)
  return data
}

/** Makes the recovery codes, or replaces all of them; they are told this once. */
export const makeRecoveryCodes = ({ isReplacement }: { isReplacement: boolean }): Promise<string[]> =>
  withRecentSignIn(async () => {
    const { recoveryCodes } = authClient().mfa
    const { data, error } = await (isReplacement ? recoveryCodes.regenerate() : recoveryCodes.generate())
    throwProviderError(error)
    return data?.codes ?? []
  })
