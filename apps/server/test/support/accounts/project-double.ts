import { randomUUID } from 'node:crypto'
import { type CryptoKey, type JWK, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from 'jose'
import type { TestClock } from '../build-test-app.ts'
import { listen } from './providers/listen.ts'

const HOUR_SECONDS = 3600
const jwtOf = (payload: object): string =>
  ['{"alg":"none"}', JSON.stringify(payload), 'x']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

/** A hosted project whose keys and responses a test controls. */
export interface ProjectDouble {
  url: string
  variables: Record<string, string>
  /** The id of the project's only person. */
  userId: string
  /** The paths that were called. */
  calls: string[]
  /** The state that determines the responses. With `isDown`, the project answers every call with status 500. */
  state: { isDown: boolean; keys: JWK[]; user: Record<string, unknown>; roles: unknown[] }
  /** Creates a key pair. The test itself adds it to `state.keys`. */
  newKey(kid: string): Promise<{ kid: string; jwk: JWK; privateKey: CryptoKey }>
  /** Signs a token of the person. It is valid for one hour of the test's clock. */
  sign(
    clock: Pick<TestClock, 'now'>,
    key: { kid: string; privateKey: CryptoKey },
    changes?: JWTPayload,
  ): Promise<string>
}

export async function aProjectDouble(): Promise<ProjectDouble> {
  const userId = randomUUID()
  const sessionId = randomUUID()
  const calls: string[] = []
  const state: ProjectDouble['state'] = {
    isDown: false,
    keys: [],
    user: {
      id: userId,
      email: 'ada@example.com',
      email_confirmed_at: '2026-01-01T00:00:00Z',
      user_metadata: {},
    },
    roles: [{ role_name: 'staff', permissions: { can_view_orders: true }, is_active: true }],
  }
  const url = await listen((request, response) => {
    const path = String(request.url).split('?')[0] ?? ''
    calls.push(path)
    const body = {
      '/auth/v1/.well-known/jwks.json': { keys: state.keys },
      '/auth/v1/user': state.user,
      '/rest/v1/user_roles': state.roles,
    }[path]
    response.writeHead(state.isDown || body === undefined ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(state.isDown ? {} : body))
  })
  return {
    url,
    userId,
    calls,
    state,
    variables: {
      SUPABASE_URL: url,
      SUPABASE_ANON_KEY: jwtOf({ role: 'anon' }),
      SUPABASE_SERVICE_ROLE_KEY: jwtOf({ role: 'service_role' }),
    },
    async newKey(kid) {
      const { publicKey, privateKey } = await generateKeyPair('ES256')
      return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
    },
    sign(clock, { kid, privateKey }, changes = {}) {
      const iat = Math.floor(clock.now().getTime() / 1000)
      const claims = {
        iss: `${url}/auth/v1`,
        aud: 'authenticated',
        sub: userId,
        role: 'authenticated',
        session_id: sessionId,
        aal: 'aal1',
        amr: [{ method: 'password', timestamp: iat }],
        iat,
        exp: iat + HOUR_SECONDS,
        ...changes,
      }
      return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' }).sign(privateKey)
    },
  }
}
