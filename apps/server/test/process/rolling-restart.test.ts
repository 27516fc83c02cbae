import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { checkMigration } from '../../../../scripts/lint/migration-rules.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { EMBEDDED_POSTGRES } from '../servers/postgres-server.ts'
import { startExternalPostgres } from '../servers/external-postgres.ts'
import { silentLog } from '../support/silent-log.ts'
import { isLongRun, makeDataFolder, OWNER, startProduct, until } from './product-process.ts'

const run = promisify(execFile)
const NGINX = '/usr/sbin/nginx'
const OPENSSL = '/usr/bin/openssl'
const EXAMPLE = fileURLToPath(new URL('../../../../deploy/proxy/nginx.conf', import.meta.url))
const REPLICA = fileURLToPath(new URL('../../../../deploy/proxy/replica.sh', import.meta.url))
const ROUNDS = isLongRun ? 10 : 1
const CLIENTS = 8

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

interface RunningNginx {
  port: number
  /** The certificate that clients have to trust. */
  ca: string
  /** Runs `replica.sh` for the replica on a port. */
  put(state: 'down' | 'up', port: number): Promise<void>
}

/** Runs nginx with the example configuration, in which the ports, the certificate and the host name are replaced. */
async function startNginx(replicas: readonly number[]): Promise<RunningNginx> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-nginx-'))
  await chmod(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [port, plainPort] = [await findFreePort(), await findFreePort()]
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  execFileSync(
    OPENSSL,
    [
      ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'.split(
        ' ',
      ),
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  )
  const example = (await readFile(EXAMPLE, 'utf8'))
    .replace('127.0.0.1:3001', `127.0.0.1:${replicas[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${replicas[1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replaceAll('ops.example.com;', 'localhost;')
    .replace('/etc/ssl/ops.example.com.pem', certificate)
    .replace('/etc/ssl/ops.example.com.key', key)
  await writeFile(join(folder, 'site.conf'), example)
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/nginx.pid; error_log ${folder}/error.log;
     events {} http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
       .map((name) => `${name}_temp_path ${folder}/${name};`)
       .join(' ')} include ${folder}/site.conf; }`,
  )
  const nginx = spawn(NGINX, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' })
  const ended = once(nginx, 'exit')
  onTestFinished(async () => {
    nginx.kill('SIGTERM')
    await ended
  })
  const env = {
    ...process.env,
    NGINX_CONFIG: join(folder, 'site.conf'),
    NGINX: `${NGINX} -c ${folder}/nginx.conf -p ${folder}`,
  }
  return {
    port,
    ca: await readFile(certificate, 'utf8'),
    async put(state, replica) {
      const { stderr } = await run('sh', [REPLICA, state, String(replica)], { env })
      expect(stderr).not.toContain('[emerg]')
    },
  }
}

/** Creates a function that calls the server through nginx. */
function createCaller({ port, ca }: RunningNginx) {
  // Use one connection per call. When nginx reloads, it closes idle connections. A browser would then repeat
  // the request automatically.
  const agent = new Agent({ ca, keepAlive: false })
  onTestFinished(() => agent.destroy())
  return async (
    method: string,
    path: string,
    { token, body }: { token?: string; body?: object } = {},
  ): Promise<{ status: number; body: string }> => {
    const call = request({
      host: 'localhost',
      port,
      path,
      method,
      agent,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
    })
    call.end(body && JSON.stringify(body))
    const [response] = (await once(call, 'response')) as [import('node:http').IncomingMessage]
    return { status: response.statusCode ?? 0, body: await text(response) }
  }
}

type Call = ReturnType<typeof createCaller>

/**
 * Starts two replicas behind nginx and signs in. `restart` replaces a replica, with another version of the server if
 * `main` is given.
 */
async function startReplicas() {
  const { url } = await startExternalPostgres(EMBEDDED_POSTGRES)
  const folders = [await makeDataFolder(), await makeDataFolder()] as const
  const ports = [await findFreePort(), await findFreePort()] as const
  const start = (index: 0 | 1, main?: string) =>
    startProduct(
      folders[index],
      {
        PORT: String(ports[index]),
        DATABASE_URL: url,
        STORAGE_URL: pathToFileURL(join(dirname(folders[0]), 'objects')).href,
        ROOT_SECRET: 'a secret of forty characters for replicas',
      },
      main,
    )
  const replicas = [await start(0), await start(1)]
  const nginx = await startNginx(ports)
  const call = createCaller(nginx)
  const isServing = () =>
    call('GET', '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    )
  expect(await until(isServing, 20_000)).toBe(true)
  const signedIn = await call('POST', '/auth/login', { body: OWNER })
  const { access_token: token } = JSON.parse(signedIn.body) as { access_token: string }
  return {
    url,
    call,
    token,
    async restart(index: 0 | 1, main?: string) {
      await nginx.put('down', ports[index])
      replicas[index]?.signal('SIGTERM')
      expect(await replicas[index]?.ended).toEqual({ code: 0, signal: null })
      replicas[index] = await start(index, main)
      await nginx.put('up', ports[index])
    },
  }
}

/** Sends requests from several clients until `stop` is called, and records each failure. */
function startLoad(call: Call, token: string) {
  const failures: string[] = []
  let isOver = false
  const figures = { made: 0, calls: 0 }
  const work = async (client: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const sku = `R${client}-${turn}`
      const answers = await Promise.allSettled([
        call('GET', '/api/inventory?limit=20', { token }),
        call('POST', '/api/inventory', { token, body: { name: sku, sku, quantity: 1 } }),
      ])
      figures.calls += answers.length
      for (const answer of answers)
        if (answer.status === 'rejected') failures.push(String(answer.reason))
        else if (answer.value.status >= 400)
          failures.push(`${answer.value.status} ${answer.value.body.slice(0, 100)}`)
      if (answers[1].status === 'fulfilled' && answers[1].value.status === 201) figures.made += 1
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, client) => work(client))
  return {
    /** Waits until the clients have sent this many more requests. */
    async serve(requests: number) {
      const before = figures.calls
      expect(await until(async () => figures.calls > before + requests, 60_000)).toBe(true)
    },
    async stop() {
      isOver = true
      await Promise.all(clients)
      const { total_inventory: total } = JSON.parse((await call('GET', '/api/stats', { token })).body) as {
        total_inventory: number
      }
      return { failures, total, ...figures }
    },
  }
}

it.runIf(existsSync(NGINX))(
  'no request fails when two replicas behind the nginx example are restarted one after the other under load',
  { timeout: isLongRun ? 3_600_000 : 300_000 },
  async () => {
    const { call, token, restart } = await startReplicas()
    const load = startLoad(call, token)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const index of [0, 1] as const) {
        await load.serve(100)
        await restart(index)
      }
    const { failures, calls, made, total } = await load.stop()
    expect(failures).toEqual([])
    expect(calls).toBeGreaterThan(400 * ROUNDS)
    expect(total).toBe(made)
    console.info(`rolling restart: failed requests 0 of ${calls} in ${ROUNDS * 2} restarts`)
  },
)

const SERVER = fileURLToPath(new URL('../..', import.meta.url))
const PROJECT = join(SERVER, '../..')

/** The migration of the next version. It follows the rules in docs/operating.md. */
const NEXT_MIGRATION = `-- in steps
alter table items add column weight_class text;
-- repeat
with batch as (select id from items where weight_class is null order by id limit 200 for update skip locked)
update items set weight_class = 'light' where id in (select id from batch) returning id;
create index concurrently items_weight_class on items (weight_class);
alter table items add constraint items_weight_class check (weight_class <> '') not valid;
alter table items validate constraint items_weight_class;
`

/** A file of the next version's web app. The running version does not have it. */
const NEXT_ASSET = '/assets/start-next.css'

/** Makes a copy of the server with one more migration and another web app. Returns its entry point. */
async function makeNextVersion(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-next-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const server = join(folder, 'apps/server')
  await mkdir(server, { recursive: true })
  for (const name of ['src', 'migrations', 'package.json'])
    await cp(join(SERVER, name), join(server, name), { recursive: true })
  await cp(join(PROJECT, 'package.json'), join(folder, 'package.json'))
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  if (existsSync(join(SERVER, 'node_modules')))
    await symlink(join(SERVER, 'node_modules'), join(server, 'node_modules'))
  const web = join(folder, 'apps/web/dist')
  await mkdir(join(web, 'assets'), { recursive: true })
  await writeFile(join(web, 'index.html'), `<link rel="stylesheet" href="${NEXT_ASSET}">`)
  await writeFile(join(web, NEXT_ASSET), 'body{}')
  await writeFile(join(server, 'migrations/9999-weight-class.sql'), NEXT_MIGRATION)
  return join(server, 'src/main.ts')
}

it.runIf(existsSync(NGINX))(
  'T111 no request fails while two replicas behind nginx are upgraded to a version that migrates the database',
  { timeout: 300_000 },
  async () => {
    expect(checkMigration('9999-weight-class.sql', NEXT_MIGRATION)).toEqual([])
    const { url, call, token, restart } = await startReplicas()
    const next = await makeNextVersion()
    const load = startLoad(call, token)
    await load.serve(200)
    await restart(0, next)
    // Now the new and the old version serve requests at the same time. A page of the new version may ask either of them
    // for its files.
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await call('GET', NEXT_ASSET)).status),
    )
    expect(statuses).toEqual(statuses.map(() => 200))
    await load.serve(200)
    await restart(1, next)
    await load.serve(100)
    const { failures, calls, made, total } = await load.stop()
    expect(failures).toEqual([])
    expect(total).toBe(made)
    const database = await openDatabase({ url, log: silentLog, applicationName: 'test' })
    onTestFinished(() => database.close())
    const [state] = await database.sql<[{ newest: string; filled: number; valid: boolean }]>`
      select (select max(name) from schema_migrations) as newest,
        (select count(*)::int from items where weight_class = 'light') as filled,
        (select convalidated from pg_constraint where conname = 'items_weight_class') as valid`
    expect(state).toMatchObject({ newest: '9999-weight-class.sql', valid: true })
    expect(state.filled).toBeGreaterThan(50)
    console.info(`rolling upgrade: failed requests 0 of ${calls}`)
  },
)
