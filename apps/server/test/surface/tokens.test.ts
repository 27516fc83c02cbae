import {
  type KeyObject,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign as signBytes,
} from 'node:crypto'
import { type JWK, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { loadRootSecret } from '../../src/platform/root-secret.ts'
import { OWNER_PASSWORD, type TestApp, buildTestApp } from '../support/build-test-app.ts'

const SOME_ID = '01890000-0000-7000-8000-000000000000'
/** Minimum number of forged tokens that the test tries. */
const MIN_CASES = 26
/** The server tolerates this difference between the clocks of replicas, in seconds. */
const LEEWAY_SECONDS = 5

type Header = Record<string, unknown>

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

/** Returns the server's signing key, which is encrypted in the database with the root secret. */
async function openSigningKey(app: TestApp): Promise<{ privateKey: KeyObject; publicKey: KeyObject }> {
  const secret = await loadRootSecret({ dataDir: app.dataDir })
  const [row] = await app.database.sql<[{ private_jwk_sealed: string }]>`
    select private_jwk_sealed from signing_keys where signs_until is null`
  const jwk = JSON.parse(secret.open('signing-keys', row.private_jwk_sealed).toString()) as JWK
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** Signs a text with ES256. The text need not be valid JSON. */
const signText = (input: string, key: KeyObject): string =>
  `${input}.${signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`

const without = (claims: JWTPayload, name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

async function getMeStatus(app: TestApp, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await app.http.inject({ url: '/api/auth/me', headers })).statusCode
}

/** Returns forged tokens whose signature is missing, wrong, or made with another key. */
async function forgeSignatures(app: TestApp, good: string): Promise<Record<string, string>> {
  const [head = '', body = '', signature = ''] = good.split('.')
  const [header, claims] = [decode(head), decode(body)]
  const { publicKey } = await openSigningKey(app)
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signForeign = (h: Header): string => signText(`${encode(h)}.${body}`, foreign.privateKey)
  const signHmac = (key: string): string => {
    const input = `${encode({ ...header, alg: 'HS256' })}.${body}`
    return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
  }
  const unsigned = (alg: string) => `${encode({ ...header, alg })}.${body}.`
  const altered = (change: object) => `${head}.${encode({ ...claims, ...change })}.${signature}`
  const twice = `{"sub":"${SOME_ID}",${JSON.stringify(claims).slice(1)}`
  const spaced = Buffer.from(` ${JSON.stringify(header)}`).toString('base64url')
  return {
    'alg none': unsigned('none'),
    'alg None': unsigned('None'),
    'alg nOnE': unsigned('nOnE'),
    'HS256 with our public key': signHmac(publicKey.export({ format: 'pem', type: 'spki' }).toString()),
    'HS256 with our public JWK': signHmac(JSON.stringify(publicKey.export({ format: 'jwk' }))),
    'HS256 with an empty key': signHmac(''),
    'HS256 with a key of white space': signHmac(' '),
    'foreign key, our kid': signForeign(header),
    'foreign key, no kid': signForeign({ alg: 'ES256', typ: 'JWT' }),
    'kid that walks': signForeign({ ...header, kid: '../../dev/null' }),
    'kid with SQL': signForeign({ ...header, kid: "' or 1=1 --" }),
    'embedded jwk': signForeign({ ...header, jwk: foreign.publicKey.export({ format: 'jwk' }) }),
    jku: signForeign({ ...header, jku: 'https://evil.example/jwks.json' }),
    x5u: signForeign({ ...header, x5u: 'https://evil.example/cert.pem' }),
    'stripped signature': `${head}.${body}.`,
    'no signature part': `${head}.${body}`,
    'doubled signature': `${good}.${signature}`,
    'edited role': altered({ role: 'service_role' }),
    'edited subject': altered({ sub: SOME_ID }),
    'edited session': altered({ session_id: SOME_ID }),
    'edited expiry': altered({ exp: Number(claims['exp']) + 3600 }),
    'duplicate claims': `${head}.${Buffer.from(twice).toString('base64url')}.${signature}`,
    'leading white space in the header': `${spaced}.${body}.${signature}`,
    'nothing at all': '..',
  }
}

/**
 * Returns forged tokens that are signed with the server's key. Each has one wrong claim, so only the checks of claims
 * can refuse it.
 */
async function forgeClaims(app: TestApp, good: string): Promise<Record<string, string>> {
  const [head = '', body = ''] = good.split('.')
  const header = decode(head) as { alg: string; typ?: string; kid: string }
  const claims = decode(body) as JWTPayload
  const { privateKey } = await openSigningKey(app)
  const sign = (payload: JWTPayload, h: Header = header): Promise<string> =>
    new SignJWT(payload).setProtectedHeader(h as { alg: string }).sign(privateKey)
  const now = Math.floor(app.clock.now().getTime() / 1000)
  expect(await getMeStatus(app, await sign(claims))).toBe(200)
  const almostExpired = { ...claims, exp: now - LEEWAY_SECONDS + 1 }
  expect(await getMeStatus(app, await sign(almostExpired))).toBe(200)
  const critical = `${encode({ ...header, crit: ['exp2'], exp2: 1 })}.${body}`
  return {
    'wrong iss': await sign({ ...claims, iss: 'https://evil.example/auth/v1' }),
    'missing iss': await sign(without(claims, 'iss')),
    'wrong aud': await sign({ ...claims, aud: 'other' }),
    'missing aud': await sign(without(claims, 'aud')),
    'wrong typ': await sign(claims, { ...header, typ: 'at+jwt' }),
    'missing typ': await sign(claims, { alg: header.alg, kid: header.kid }),
    'missing kid': await sign(claims, { alg: header.alg, typ: 'JWT' }),
    'unknown crit': signText(critical, privateKey),
    'missing exp': await sign(without(claims, 'exp')),
    'missing iat': await sign(without(claims, 'iat')),
    'missing sub': await sign(without(claims, 'sub')),
    'missing session_id': await sign(without(claims, 'session_id')),
    'sub that is no id': await sign({ ...claims, sub: 'owner' }),
    'session_id that is no id': await sign({ ...claims, session_id: "' or 1=1 --" }),
    "another account's session": await sign({ ...claims, sub: SOME_ID }),
    'nbf in the future': await sign({ ...claims, nbf: now + LEEWAY_SECONDS + 1 }),
    'iat in the future': await sign({ ...claims, iat: now + LEEWAY_SECONDS + 1 }),
    'expired, a second past the leeway': await sign({ ...claims, exp: now - LEEWAY_SECONDS - 1 }),
    'older than any token lives': await sign({ ...claims, iat: now - 3600 - LEEWAY_SECONDS - 1 }),
    'a megabyte': await sign({ ...claims, filling: 'A'.repeat(750 * 1024) }),
    'a little longer than any': await sign({ ...claims, filling: 'A'.repeat(6 * 1024) }),
  }
}

describe('forged access tokens', () => {
  it('T20 a forged access token is always refused', async () => {
    const app = await buildTestApp()
    const other = await buildTestApp()
    const answer = await app.http.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { username: 'owner', password: OWNER_PASSWORD },
    })
    const { access_token: good, refresh_token: refreshToken } = answer.json<{
      access_token: string
      refresh_token: string
    }>()
    // The server has cached the valid token by now. It must not confuse a forged copy with it.
    expect(await getMeStatus(app, good)).toBe(200)
    const forged: Record<string, string> = {
      ...(await forgeSignatures(app, good)),
      ...(await forgeClaims(app, good)),
      "another installation's token": await other.signIn('owner', OWNER_PASSWORD),
      'refresh token as access token': refreshToken,
    }
    const accepted: string[] = []
    for (const [name, token] of Object.entries(forged)) {
      const status = await getMeStatus(app, token)
      if (status !== 401) accepted.push(`${name}: ${status}`)
    }
    const cases = Object.keys(forged).length
    console.info(`T20 forged accepted ${accepted.length} of ${cases}`)
    expect(accepted).toEqual([])
    expect(cases).toBeGreaterThanOrEqual(MIN_CASES)
    expect(forged['a megabyte']?.length).toBeGreaterThan(1_000_000)

    expect(await getMeStatus(app, good)).toBe(200)
    app.clock.advance(3606 * 1000)
    expect(await getMeStatus(app, good)).toBe(401)
  })
})

/** Returns the username that the server finds for this token. */
async function whoIs(app: TestApp, token: string): Promise<string> {
  const answer = await app.http.inject({
    url: '/api/auth/me',
    headers: { authorization: `Bearer ${token}` },
  })
  return answer.json<{ username: string }>().username
}

describe('cached access tokens', () => {
  it('T27 requests with cached access tokens always get the right account, in any order', async () => {
    const app = await buildTestApp()
    const users = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const username = await app.anAccount('viewer')
        return { username, token: await app.signIn(username) }
      }),
    )
    let asked = 0
    let mixUps = 0
    const ask = async (): Promise<void> => {
      while (asked < 10_000) {
        // The step between accounts grows with each round, so each round has another order.
        const user = users[(asked * (1 + Math.floor(asked / users.length))) % users.length]!
        asked += 1
        if ((await whoIs(app, user.token)) !== user.username) mixUps += 1
      }
    }
    await Promise.all(Array.from({ length: 20 }, ask))
    console.info(`T27 mix-ups ${mixUps} of ${asked}`)
    expect({ asked, mixUps }).toEqual({ asked: 10_000, mixUps: 0 })
  })

  it('a cached access token is refused as soon as its session has ended', async () => {
    const app = await buildTestApp()
    const [leaving, staying] = [
      await app.signIn('owner', OWNER_PASSWORD),
      await app.signIn('owner', OWNER_PASSWORD),
    ]
    expect([await getMeStatus(app, leaving), await getMeStatus(app, staying)]).toEqual([200, 200])
    await app.http.inject({
      method: 'POST',
      url: '/auth/v1/logout?scope=local',
      headers: { authorization: `Bearer ${leaving}` },
    })
    expect([await getMeStatus(app, leaving), await getMeStatus(app, staying)]).toEqual([401, 200])
  })

  it('a cached access token expires in the same second as a token that is not cached', async () => {
    const app = await buildTestApp()
    const token = await app.signIn('owner', OWNER_PASSWORD)
    const statuses: number[] = []
    for (const seconds of [0, 3600 + LEEWAY_SECONDS - 1, 1]) {
      app.clock.advance(seconds * 1000)
      statuses.push(await getMeStatus(app, token))
    }
    expect(statuses).toEqual([200, 200, 401])
  })

  it('a cached access token is refused if the clock is set back to before the token was issued', async () => {
    const app = await buildTestApp()
    const token = await app.signIn('owner', OWNER_PASSWORD)
    expect(await getMeStatus(app, token)).toBe(200)
    app.clock.advance(-60 * 1000)
    expect(await getMeStatus(app, token)).toBe(401)
  })
})
