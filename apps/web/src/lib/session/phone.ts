import { withRecentSignIn } from './reauthentication.ts'
import { findFreeName, removeEnrollment } from './factors/second-factor.ts'
import { authClient, followSession, refreshUser, throwProviderError } from './session.ts'
import { t } from '@/lib/i18n/messages.ts'

// Codes that are sent to a phone, for signing in and as a second factor. The functions throw the auth
// provider's error.

/** Sends a sign-in code. The response never reveals whether the number has an account. */
export async function requestPhoneCode(phone: string): Promise<void> {
  const { error } = await (await authClient()).signInWithOtp({ phone, options: { shouldCreateUser: false } })
  throwProviderError(error)
}

/** Signs in with a code. */
export async function signInWithPhoneCode({ phone, code }: { phone: string; code: string }): Promise<void> {
  const { data, error } = await (await authClient()).verifyOtp({ phone, token: code, type: 'sms' })
  throwProviderError(error)
  if (!data.session) throw new Error('An administrator must approve your account before you can sign in.')
  await followSession(data.session)
}

/** A code that was sent for a second factor. */
export interface PhoneChallenge {
  factorId: string
  challengeId: string
}

/** Sends a code for a phone that is a second factor. */
export async function sendFactorCode(factorId: string): Promise<PhoneChallenge> {
  const { data, error } = await (await authClient()).mfa.challenge({ factorId, channel: 'sms' })
  throwProviderError(error)
  if (!data) throw new Error('The challenge returned no data.')
  return { factorId, challengeId: data.id }
}

/** Adds a phone as a second factor and sends it a code, which must be entered within five minutes. */
export async function startPhoneEnrollment(phone: string): Promise<PhoneChallenge> {
  const friendlyName = await findFreeName(t('Phone ending in {phone}', { phone: phone.slice(-4) }))
  const factorId = await withRecentSignIn(async () => {
    const { data, error } = await (await authClient()).mfa.enroll({
      factorType: 'phone',
      friendlyName,
      phone,
    })
    throwProviderError(error)
    if (!data) throw new Error('The enrollment returned no data.')
    return data.id
  })
  try {
    return await sendFactorCode(factorId)
  } catch (error) {
    await removeEnrollment(factorId)
    throw error
  }
}

/** Proves the second factor with a code. The session gets new tokens. */
export async function proveByPhone(challenge: PhoneChallenge, code: string): Promise<void> {
  const { error } = await (await authClient()).mfa.verify({ ...challenge, code })
  throwProviderError(error)
  await refreshUser()
}
