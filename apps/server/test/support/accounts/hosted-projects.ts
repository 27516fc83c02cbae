import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestApp, buildTestApp } from '../build-test-app.ts'
import { aServiceKey } from './service-keys.ts'

export interface TestProject {
  /** The server that acts as the hosted project. It listens at `url`. */
  project: TestApp
  url: string
  /** The variables that make another server use the project. */
  variables: Record<string, string>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a server that can be the hosted project of another server. */
export async function aHostedProject(variables: Record<string, string> = {}): Promise<TestProject> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const project = await buildTestApp({ variables: { PUBLIC_URL: url, ...variables } })
  await project.http.listen({ host: '127.0.0.1', port })
  const [anon, service] = [await aServiceKey(project, 'publishable'), await aServiceKey(project, 'secret')]
  return {
    project,
    url,
    variables: {
      SUPABASE_URL: url,
      SUPABASE_ANON_KEY: anon.key,
      SUPABASE_SERVICE_ROLE_KEY: service.key,
    },
  }
}
