import type { Factor } from '@supabase/auth-js'
import { logWarning } from '../../browser/log.ts'
import { withRecentSignIn } from '../reauthentication.ts'
import { authClient, refreshUser, throwProviderError } from '../session.ts'
import { t } from '@/lib/i18n/messages.ts'

// The second factor of the signed-in account. All functions throw the auth provider's error.

/** An authenticator app, a passkey, a security key, or a phone. */
export type Authenticator = Pick<Factor, 'id' | 'friendly_name' | 'created_at' | 'factor_type'>

const isAuthenticator = ({ factor_type: type, status }: Factor): boolean =>
  (type === 'totp' || type === 'webauthn' || type === 'phone') && status === 'verified'

/** Returns the verified authenticators of the account. Recovery codes do not count as authenticators. */
export const authenticatorsOf = (factors: readonly Factor[]): Authenticator[] =>
  factors.filter(isAuthenticator)

export const isApp = ({ factor_type: type }: Authenticator): boolean => type === 'totp'
export const isKey = ({ factor_type: type }: Authenticator): boolean => type === 'webauthn'
export const isPhone = ({ factor_type: type }: Authenticator): boolean => type === 'phone'

export async function listAuthenticators(): Promise<Authenticator[]> {
  const { data, error } = await (await authClient()).mfa.listFactors()
  throwProviderError(error)
  return authenticatorsOf(data?.all ?? [])
}

/** Proves the second factor with a code from an authenticator. The session gets new tokens. */
export async function proveByCode(factorId: string, code: string): Promise<void> {
  const { error } = await (await authClient()).mfa.challengeAndVerify({ factorId, code })
  throwProviderError(error)
  await refreshUser()
}

/** Proves the second factor with a recovery code. Each code works once. */
export async function proveByRecoveryCode(code: string): Promise<void> {
  const { error } = await (await authClient()).mfa.recoveryCodes.verify({ code })
  throwProviderError(error)
  await refreshUser()
}

/** The values that an authenticator app needs. */
export interface Enrollment {
  factorId: string
  /** A QR code, as a `data:` URL. */
  qrCode: string
  /** The secret in Base32, for typing. */
  secret: string
  /** The secret as a link, which opens an authenticator app on this phone. */
  uri: string
}

/** Starts the enrollment of an authenticator. A code must verify it within five minutes. */
export async function startEnrollment(): Promise<Enrollment> {
  const friendlyName = await findFreeName(t('Authenticator app'))
  return withRecentSignIn(async () => {
    const { data, error } = await (await authClient()).mfa.enroll({ factorType: 'totp', friendlyName })
    throwProviderError(error)
    if (!data) throw new Error('The enrollment returned no data.')
    const { qr_code: qrCode, secret, uri } = data.totp
    return { factorId: data.id, qrCode, secret, uri }
  })
}

/** Cancels an enrollment. If this fails, the enrollment expires on its own. */
export async function removeEnrollment(factorId: string): Promise<void> {
  const { error } = await (await authClient()).mfa.unenroll({ factorId })
  if (error) logWarning('The enrollment could not be cancelled; it ends within five minutes.', error)
}

/** Returns a name that no factor has yet. Names are unique per account, and unverified factors count too. */
export async function findFreeName(base: string): Promise<string> {
  const { data, error } = await (await authClient()).mfa.listFactors()
  throwProviderError(error)
  const taken = new Set(data?.all.map(({ friendly_name: name }) => name))
  let name = base
  for (let number = 2; taken.has(name); number += 1) name = `${base} ${number}`
  return name
}

/** Removes an authenticator. After the last one, the account has no second factor and no recovery codes. */
export async function removeAuthenticator(factorId: string): Promise<void> {
  await withRecentSignIn(async () => {
    const { error } = await (await authClient()).mfa.unenroll({ factorId })
    throwProviderError(error)
  })
  // The current tokens may still describe the previous state of the session.
  await (await authClient()).refreshSession()
  await refreshUser()
}

/** Returns the number of unused recovery codes and of all recovery codes; null if there are none. */
export async function countRecoveryCodes(): Promise<{ remaining: number; total: number } | null> {
  const { data, error } = await (await authClient()).mfa.recoveryCodes.getStatus()
  if (error?.code === 'mfa_factor_not_found') return null
  throwProviderError(error)
  return data
}

/** Creates the recovery codes, or replaces all of them. They are shown only once. */
export const makeRecoveryCodes = ({ isReplacement }: { isReplacement: boolean }): Promise<string[]> =>
  withRecentSignIn(async () => {
    const { recoveryCodes } = (await authClient()).mfa
    const { data, error } = await (isReplacement ? recoveryCodes.regenerate() : recoveryCodes.generate())
    throwProviderError(error)
    return data?.codes ?? []
  })
