import type { HostedSession } from '@pegasus/contracts/auth/hosted-auth'
import type { CreationOptions, CredentialAnswer, RequestOptions } from '@pegasus/contracts/auth/webauthn'
import type { TestApp } from '../build-test-app.ts'
import { type Answer, callHosted } from './second-factor.ts'
import { type Faults, KEY_SITE, SecurityKey } from './security-key.ts'

export interface KeyFactor {
  factorId: string
  key: SecurityKey
}

interface KeyChallenge {
  id: string
  webauthn: {
    type: 'create' | 'request'
    credential_options: { publicKey: CreationOptions & RequestOptions }
  }
}

export async function enrollKey(app: TestApp, accessToken: string, name = 'Key'): Promise<string> {
  const payload = { factor_type: 'webauthn', friendly_name: name }
  const answer = await callHosted(app, 'POST /factors', accessToken, { payload })
  if (answer.statusCode !== 200) throw new Error(`enrolling: ${answer.statusCode} ${answer.body}`)
  return answer.json<{ id: string }>().id
}

export async function challengeKey(app: TestApp, accessToken: string, factorId: string) {
  const payload = { webauthn: KEY_SITE }
  const answer = await callHosted(app, `POST /factors/${factorId}/challenge`, accessToken, { payload })
  if (answer.statusCode !== 200) throw new Error(`challenge: ${answer.statusCode} ${answer.body}`)
  const { id, webauthn } = answer.json<KeyChallenge>()
  return { id, type: webauthn.type, options: webauthn.credential_options.publicKey }
}

export const sendProof = (
  app: TestApp,
  accessToken: string,
  proof: { factorId: string; challengeId: string; type: 'create' | 'request'; answer: CredentialAnswer },
  ip?: string,
): Promise<Answer> =>
  callHosted(app, `POST /factors/${proof.factorId}/verify`, accessToken, {
    payload: {
      challenge_id: proof.challengeId,
      webauthn: { ...KEY_SITE, type: proof.type, credential_response: proof.answer },
    },
    ...(ip && { ip }),
  })

/** Requests a challenge for a key and sends the key's response, with the given faults. */
export async function proveKey(
  app: TestApp,
  accessToken: string,
  { factorId, key }: KeyFactor,
  faults: Faults = {},
): Promise<Answer> {
  const { id: challengeId, type, options } = await challengeKey(app, accessToken, factorId)
  const answer = type === 'create' ? key.create(options, faults) : key.get(options, faults)
  return sendProof(app, accessToken, { factorId, challengeId, type, answer })
}

/** Creates an account with a verified security key, signed in with both steps. */
export async function anAccountWithKey(app: TestApp) {
  const username = await app.anAccount('staff')
  const accessToken = await app.signIn(username)
  const factor = { factorId: await enrollKey(app, accessToken), key: new SecurityKey() }
  const answer = await proveKey(app, accessToken, factor)
  if (answer.statusCode !== 200) throw new Error(`second step: ${answer.statusCode} ${answer.body}`)
  return {
    username,
    email: `${username}@example.com`,
    session: answer.json<HostedSession>(),
    ...factor,
  }
}
