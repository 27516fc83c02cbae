import { readFile, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  OWNER,
  type ProductProcess,
  bearer,
  launchProduct,
  makeDataFolder,
  signIn,
  startProduct,
} from './product-process.ts'

/** Starts a server on an empty folder, without any configuration that affects these tests. */
async function freshInstall(): Promise<ProductProcess & { password: string }> {
  // An empty variable has the same effect as an unset one.
  const product = await startProduct(await makeDataFolder(), { OWNER_PASSWORD: '' })
  return { ...product, password: /Password\s+(\S+)\s+\(shown/.exec(product.readOutput())?.[1] ?? '' }
}

async function filesUnder(folder: string): Promise<{ path: string; mode: number; isFolder: boolean }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        return { path, mode: (await stat(path)).mode & 0o777, isFolder: entry.isDirectory() }
      }),
  )
}

const textOf = async (url: string, init?: RequestInit): Promise<string> => (await fetch(url, init)).text()

const canSignInAs = (url: string, username: string, password: string): Promise<boolean> =>
  signIn(url, { username, password }).then(
    () => true,
    () => false,
  )

it('a server whose root secret is lost does not create another secret, and starts after the secret is back', {
  timeout: 120_000,
}, async () => {
  const dataDir = await makeDataFolder()
  const first = await startProduct(dataDir)
  first.signal('SIGTERM')
  await first.ended
  const secret = join(dataDir, 'secrets', 'root-secret')
  await rename(secret, `${secret}.away`)
  const refused = launchProduct(dataDir)
  expect((await refused.ended).code).toBe(1)
  expect(refused.readOutput()).toContain(`The database has accounts, but ${secret} is missing.`)
  expect(await readdir(join(dataDir, 'secrets'))).not.toContain('root-secret')
  await rename(`${secret}.away`, secret)
  const again = await startProduct(dataDir)
  expect(await canSignInAs(again.url, OWNER.username, OWNER.password)).toBe(true)
})

describe('a fresh installation', () => {
  it('T114 a fresh installation has no default account, has its own secrets, and does not reveal its data', {
    timeout: 120_000,
  }, async () => {
    const [one, other] = await Promise.all([freshInstall(), freshInstall()])
    const findings: string[] = []
    const look = (name: string, isFound: boolean) => {
      looked += 1
      if (isFound) findings.push(name)
    }
    let looked = 0

    expect(one.password).toMatch(/^([a-z0-9]{5}-){3}[a-z0-9]{5}$/)
    look('two installs share the password', one.password === other.password)
    look("one install's password opens another", await canSignInAs(other.url, OWNER.username, one.password))
    const { access_token: token } = await signIn(one.url, {
      username: OWNER.username,
      password: one.password,
    })
    for (const username of ['owner', 'admin', 'administrator', 'root', 'pegasus', 'owner@pegasus.local'])
      for (const password of ['', username, 'password', 'admin', 'changeme', 'workshop', OWNER.password])
        look(`${username} with ${password}`, await canSignInAs(one.url, username, password))

    const secretsOf = async ({ dataDir }: ProductProcess): Promise<Record<string, string>> => ({
      root: await readFile(join(dataDir, 'secrets', 'root-secret'), 'utf8'),
      database: await readFile(join(dataDir, 'secrets', 'postgres-password'), 'utf8'),
    })
    const [ofOne, ofOther] = await Promise.all([secretsOf(one), secretsOf(other)])
    for (const name of Object.keys(ofOne)) {
      look(`two installs share ${name}`, ofOne[name] === ofOther[name])
      look(`${name} is short`, (ofOne[name] ?? '').trim().length < 32)
    }
    const keysOf = async ({ url }: ProductProcess) => textOf(`${url}/auth/v1/.well-known/jwks.json`)
    look('two installs share the signing key', (await keysOf(one)) === (await keysOf(other)))
    const elsewhere = await fetch(`${other.url}/api/auth/me`, { headers: bearer(token) })
    look("another install's token is accepted", elsewhere.status !== 401)
    const outputs = one.readOutput()
    look(
      'a secret is printed',
      Object.values(ofOne).some((secret) => outputs.includes(secret.trim())),
    )

    for (const { path, mode, isFolder } of await filesUnder(one.dataDir))
      look(`others may reach ${path} (${mode.toString(8)})`, (mode & (isFolder ? 0o066 : 0o077)) !== 0)
    const options = await readFile(join(one.dataDir, 'postgres', 'postmaster.opts'), 'utf8')
    const addresses = /listen_addresses=([^"\s]*)/.exec(options)?.[1]
    look(
      `the database listens on ${addresses}`,
      !['', '127.0.0.1', '::1'].includes(addresses ?? 'everything'),
    )
    const rules = await readFile(join(one.dataDir, 'postgres', 'pg_hba.conf'), 'utf8')
    const open = rules
      .split('\n')
      .filter((line) => !line.startsWith('#') && /\b(trust|password|ident)\b/.test(line))
    look(`the database lets in without a password: ${open}`, open.length > 0)

    const folders = [
      '',
      '/data',
      '/assets',
      '/assets/..',
      '/storage',
      '/objects',
      '/api',
      '/..',
      '/../..',
      '/%2e%2e',
      '/..%2f..',
    ]
    const files = [
      'secrets/root-secret',
      'data/secrets/root-secret',
      'postgres/PG_VERSION',
      'pegasus.lock',
      '.env',
    ]
    const version = await readFile(join(one.dataDir, 'postgres', 'PG_VERSION'), 'utf8')
    for (const folder of folders)
      for (const file of files) {
        const body = await textOf(`${one.url}${folder}/${file}`, { headers: bearer(token) })
        const isServed =
          body === version || Object.values(ofOne).some((secret) => body.includes(secret.trim()))
        look(`${folder}/${file} is served`, isServed)
      }
    console.info(`T114 findings ${findings.length} of ${looked}`)
    expect(findings).toEqual([])
  })
})
