import type { MFAVerifyWebauthnParamFields } from '@supabase/auth-js'
import { removeEnrollment, findFreeName } from './second-factor.ts'
import { withRecentSignIn } from '../reauthentication.ts'
import { authClient, refreshUser, throwProviderError } from '../session.ts'
import { t } from '@/lib/i18n/messages.ts'

type RegistrationCredential = MFAVerifyWebauthnParamFields<'create'>['webauthn']['credential_response']
type AuthenticationCredential = MFAVerifyWebauthnParamFields<'request'>['webauthn']['credential_response']

// Passkeys and security keys as a second factor. The functions throw the auth provider's error, or the browser's error.

/** Registers a key or a device, and proves the second factor with it immediately. */
export async function addSecurityKey(rpId: string): Promise<void> {
  const friendlyName = await findFreeName(t('Security key'))
  const factorId = await withRecentSignIn(async () => {
    const { data, error } = await (await authClient()).mfa.enroll({ factorType: 'webauthn', friendlyName })
    throwProviderError(error)
    if (!data) throw new Error('The enrollment returned no data.')
    return data.id
  })
  try {
    await answerChallenge(factorId, rpId)
  } catch (error) {
    await removeEnrollment(factorId)
    throw error
  }
}

/** Proves the second factor with a registered key. The session gets new tokens. */
export const proveBySecurityKey = (factorId: string, rpId: string): Promise<void> =>
  answerChallenge(factorId, rpId)

/**
 * Answers a challenge with a key. Depending on the challenge, the browser creates a credential, or signs with an
 * existing one.
 */
async function answerChallenge(factorId: string, rpId: string): Promise<void> {
  const { mfa } = await authClient()
  const site = { rpId, rpOrigins: [location.origin] }
  const { data, error } = await mfa.challenge({ factorId, webauthn: site })
  throwProviderError(error)
  if (!data) throw new Error('The challenge returned no data.')
  const ids = { factorId, challengeId: data.id }
  const { webauthn } = data
  const verified =
    webauthn.type === 'create'
      ? await mfa.verify({
          ...ids,
          webauthn: {
            ...site,
            type: 'create',
            credential_response: await makeCredential(webauthn.credential_options),
          },
        })
      : await mfa.verify({
          ...ids,
          webauthn: {
            ...site,
            type: 'request',
            credential_response: await readCredential(webauthn.credential_options),
          },
        })
  throwProviderError(verified.error)
  await refreshUser()
}

// The casts below are necessary, because the client's types and TypeScript's own types each lack some fields
// of the standard.

async function makeCredential(options: object): Promise<RegistrationCredential> {
  const credential = await navigator.credentials.create(options)
  if (!credential) throw new Error('The browser returned no key.')
  return credential as RegistrationCredential
}

async function readCredential(options: object): Promise<AuthenticationCredential> {
  const credential = await navigator.credentials.get(options)
  if (!credential) throw new Error('The browser returned no key.')
  return credential as AuthenticationCredential
}
