import { createHmac } from 'node:crypto'
import type { HostedSession, HostedUser } from '@pegasus/contracts/auth/hosted-auth'
import type { Role } from '@pegasus/contracts/roles'
import type { Clock } from '../../../src/platform/clock.ts'
import { PASSWORD, type TestApp } from '../build-test-app.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}

/** Returns the code of an authenticator app, calculated by an independent implementation of RFC 6238. */
export function codeOf(secret: string, clock: Clock, steps = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(clock.now().getTime() / 30_000) + steps))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Returns a code that is not valid now. */
export function wrongCodeOf(secret: string, clock: Clock): string {
  const right = [-1, 0, 1].map((steps) => codeOf(secret, clock, steps))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? ''
}

export interface HostedCall {
  payload?: Record<string, unknown>
  ip?: string
}

/** Calls the hosted auth service's protocol as its client does. */
export const callHosted = (
  app: TestApp,
  route: string,
  accessToken: string,
  { payload, ip = '127.0.0.1' }: HostedCall = {},
) =>
  app.http.inject({
    method: route.split(' ')[0] as 'GET',
    url: `/auth/v1${route.split(' ')[1]}`,
    remoteAddress: ip,
    headers: { authorization: `Bearer ${accessToken}`, 'x-supabase-api-version': '2024-01-01' },
    ...(payload && { payload }),
  })

export type Answer = Awaited<ReturnType<typeof callHosted>>

/** Returns a response in short form, such as `200` or `422 mfa_verification_failed`. */
export const errorCodeOf = (answer: Answer): string => {
  const { code } = answer.body === '' ? {} : answer.json<{ code?: string }>()
  return code === undefined ? String(answer.statusCode) : `${answer.statusCode} ${code}`
}

export interface Enrolled {
  factorId: string
  secret: string
}

export async function enroll(app: TestApp, accessToken: string, name = ''): Promise<Enrolled> {
  const payload = { factor_type: 'totp', friendly_name: name }
  const answer = await callHosted(app, 'POST /factors', accessToken, { payload })
  if (answer.statusCode !== 200) throw new Error(`enrolling: ${answer.statusCode} ${answer.body}`)
  const { id, totp } = answer.json<{ id: string; totp: { secret: string } }>()
  return { factorId: id, secret: totp.secret }
}

export async function challenge(app: TestApp, accessToken: string, factorId: string): Promise<string> {
  const answer = await callHosted(app, `POST /factors/${factorId}/challenge`, accessToken)
  if (answer.statusCode !== 200) throw new Error(`challenge: ${answer.statusCode} ${answer.body}`)
  return answer.json<{ id: string }>().id
}

/** Requests a challenge for the factor, and answers it with the current code or a given code. */
export async function answerChallenge(
  app: TestApp,
  accessToken: string,
  { factorId, secret }: Enrolled,
  { code = codeOf(secret, app.clock), ip }: { code?: string; ip?: string } = {},
): Promise<Answer> {
  const payload = { challenge_id: await challenge(app, accessToken, factorId), code }
  const from = ip === undefined ? {} : { ip }
  return callHosted(app, `POST /factors/${factorId}/verify`, accessToken, { payload, ...from })
}

/** Passes the second step and returns the session. Then advances the clock, so that the next code is accepted. */
export async function passSecondStep(
  app: TestApp,
  accessToken: string,
  factor: Enrolled,
): Promise<HostedSession> {
  const answer = await answerChallenge(app, accessToken, factor)
  if (answer.statusCode !== 200) throw new Error(`second step: ${answer.statusCode} ${answer.body}`)
  app.clock.advance(30_000)
  return answer.json<HostedSession>()
}

export interface AccountWithFactor extends Enrolled {
  username: string
  email: string
  /** A session after both steps (aal2). */
  session: HostedSession
}

/** Creates an account with the given role and a verified authenticator app, signed in with both steps. */
export async function anAccountWithFactor(app: TestApp, role: Role = 'staff'): Promise<AccountWithFactor> {
  const username = await app.anAccount(role)
  const accessToken = await app.signIn(username, PASSWORD)
  const factor = await enroll(app, accessToken)
  const session = await passSecondStep(app, accessToken, factor)
  return { username, email: `${username}@example.com`, session, ...factor }
}

export const getMe = (app: TestApp, accessToken: string) =>
  app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${accessToken}` } })

/** Returns the claims of an access token, such as the level of its session. */
export const claimsOf = (accessToken: string) =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
    aal: string
    amr: { method: string; timestamp: number }[]
    session_id: string
  }

/** Signs in with the password only. */
export const signInHosted = async (app: TestApp, email: string): Promise<HostedSession> => {
  const url = '/auth/v1/token?grant_type=password'
  const answer = await app.http.inject({ method: 'POST', url, payload: { email, password: PASSWORD } })
  return answer.json<HostedSession>()
}

export const reauthenticate = (app: TestApp, accessToken: string, payload: Record<string, string>) =>
  app.http.inject({
    method: 'POST',
    url: '/api/auth/reauthenticate',
    headers: { authorization: `Bearer ${accessToken}` },
    payload,
  })

export const factorsOf = async (app: TestApp, accessToken: string) =>
  (await callHosted(app, 'GET /user', accessToken)).json<HostedUser>().factors ?? []
