import type { HostedPasskey } from '@pegasus/contracts/auth/hosted-passkeys'
import type { CreationOptions, RequestOptions } from '@pegasus/contracts/auth/webauthn'
import type { TestApp } from '../build-test-app.ts'
import { type Answer, callHosted } from './second-factor.ts'
import { type Faults, SecurityKey } from './security-key.ts'

interface Started<O> {
  challenge_id: string
  options: O
  expires_at: number
}

const read = <T>(answer: Answer): T => {
  if (answer.statusCode !== 200) throw new Error(`passkeys: ${answer.statusCode} ${answer.body}`)
  return answer.json<T>()
}

export const startRegistration = async (app: TestApp, accessToken: string) =>
  read<Started<CreationOptions>>(await callHosted(app, 'POST /passkeys/registration/options', accessToken))

export const register = (app: TestApp, accessToken: string, payload: Record<string, unknown>) =>
  callHosted(app, 'POST /passkeys/registration/verify', accessToken, { payload })

/** Adds a passkey of a device to the account of a session. */
export async function addPasskey(app: TestApp, accessToken: string, device = new SecurityKey()) {
  const { challenge_id, options } = await startRegistration(app, accessToken)
  const payload = { challenge_id, credential: device.create(options) }
  return { device, ...read<HostedPasskey>(await register(app, accessToken, payload)) }
}

/** Calls the hosted auth service without a session. */
export const callOpen = (
  app: TestApp,
  path: string,
  payload: Record<string, unknown> = {},
  ip = '127.0.0.1',
) =>
  app.http.inject({
    method: 'POST',
    url: `/auth/v1${path}`,
    remoteAddress: ip,
    headers: { 'x-supabase-api-version': '2024-01-01' },
    payload,
  })

export const startSignIn = async (app: TestApp) =>
  read<Started<RequestOptions>>(await callOpen(app, '/passkeys/authentication/options'))

export async function signInWith(app: TestApp, device: SecurityKey, faults: Faults = {}): Promise<Answer> {
  const { challenge_id, options } = await startSignIn(app)
  const payload = { challenge_id, credential: device.get(options, faults) }
  return callOpen(app, '/passkeys/authentication/verify', payload)
}
