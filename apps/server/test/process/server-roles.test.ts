import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { SystemStatus } from '@pegasus/contracts/system'
import { describe, expect, it } from 'vitest'
import { POSTGRES_SERVERS, startExternalPostgres } from '../servers/external-postgres.ts'
import {
  bearer,
  isLongRun,
  launchProduct,
  makeDataFolder,
  type ProductProcess,
  signIn,
  startProduct,
  until,
} from './product-process.ts'
import { aModel, uploadModel } from './write-load.ts'

const PATIENCE_MS = isLongRun ? 300_000 : 60_000
const CLEAN = { code: 0, signal: null }

/** Returns a function that starts a server of an installation. The servers share a database and a folder. */
async function anInstallation() {
  const [server] = POSTGRES_SERVERS
  if (!server) throw new Error('There is no PostgreSQL to test with.')
  const { url } = await startExternalPostgres(server)
  const shared = join(dirname(await makeDataFolder()), 'objects')
  const settings = {
    DATABASE_URL: url,
    STORAGE_URL: pathToFileURL(shared).href,
    ROOT_SECRET: 'a secret of forty characters for replicas',
  }
  const start = async (variables: Record<string, string> = {}) =>
    startProduct(await makeDataFolder(), { ...settings, ...variables })
  return { settings, start }
}

async function get<T>(server: ProductProcess, path: string, token: string): Promise<T> {
  const response = await fetch(`${server.url}${path}`, { headers: bearer(token) })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

async function rolesOf(server: ProductProcess, token: string): Promise<string[]> {
  const { servers } = await get<SystemStatus>(server, '/api/system', token)
  return servers.map(({ role }) => role)
}

describe('servers with a role', () => {
  it('a web server leaves the background work to a jobs server, which answers only monitoring requests', {
    timeout: 3 * PATIENCE_MS,
  }, async () => {
    const { start } = await anInstallation()
    const web = await start({ SERVER_ROLE: 'web' })
    const { access_token: token } = await signIn(web.url)
    const uploaded = (await (await uploadModel(web.url, token, aModel())).json()) as Model
    const analysisOf = async () =>
      (await get<Model>(web, `/api/stl-files/${uploaded.id}`, token)).analysis_status
    expect(await rolesOf(web, token)).toEqual(['web'])
    expect(await analysisOf()).toBe('pending')

    const jobs = await start({ SERVER_ROLE: 'jobs' })
    expect(await until(async () => (await analysisOf()) === 'done', PATIENCE_MS, 100)).toBe(true)
    expect(await rolesOf(web, token)).toEqual(['web', 'jobs'])
    const refusal = await fetch(`${jobs.url}/api/stl-files`, { headers: bearer(token) })
    expect([refusal.status, await refusal.json()]).toEqual([
      404,
      expect.objectContaining({
        detail: 'This server does background work only. Send requests to a server with another SERVER_ROLE.',
      }),
    ])
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await fetch(`${jobs.url}${path}`)).status).toBe(200)

    jobs.signal('SIGTERM')
    expect(await jobs.ended).toEqual(CLEAN)
    expect(await rolesOf(web, token)).toEqual(['web'])
    web.signal('SIGTERM')
    expect(await web.ended).toEqual(CLEAN)
  })

  it('while a server runs, a second one with another file storage does not start, and a killed server can be started again', {
    timeout: 3 * PATIENCE_MS,
  }, async () => {
    const { settings, start } = await anInstallation()
    const one = await start()
    const dataDir = await makeDataFolder()
    // Without STORAGE_URL, the files are in the data folder of the server, which the other servers cannot read.
    const other = launchProduct(dataDir, { ...settings, STORAGE_URL: '' })
    expect(await other.ended).toEqual({ code: 1, signal: null })
    expect(other.readOutput()).toContain(`This server would store files in ${join(dataDir, 'objects')} on `)
    expect(other.readOutput()).toContain('Set STORAGE_URL of all servers to one shared folder or bucket.')

    one.signal('SIGKILL')
    await one.ended
    const again = await start()
    again.signal('SIGTERM')
    expect(await again.ended).toEqual(CLEAN)
  })
})
