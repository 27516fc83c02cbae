import { AuthClient } from '@supabase/auth-js'
import type { FastifyInstance } from 'fastify'

/** The client's class, for browser tests that start a server themselves. */
export { AuthClient }

/** The part of a test app that the client needs. Its full type belongs to the server's tests. */
interface Served {
  http: Pick<FastifyInstance, 'server' | 'listen'>
}

export type OfficialClient = InstanceType<typeof AuthClient>

type ClientOptions = ConstructorParameters<typeof AuthClient>[0]

/** Creates the hosted service's official client. It uses a real port and has its own session. */
export async function officialClient(app: Served, options: ClientOptions = {}): Promise<OfficialClient> {
  if (!app.http.server.listening) await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as { port: number }
  return new AuthClient({
    url: `http://127.0.0.1:${port}/auth/v1`,
    headers: { apikey: 'any' },
    autoRefreshToken: false,
    persistSession: false,
    storageKey: `client-${crypto.randomUUID()}`,
    ...options,
  })
}
