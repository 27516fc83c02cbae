import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StartupError } from './startup-error.ts'
import { loadRootSecret, SealError } from './root-secret.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pegasus-secrets-'))
})

afterEach(() => rm(dataDir, { recursive: true, force: true }))

const path = () => join(dataDir, 'secrets', 'root-secret')
const configured = 'a root secret of more than 32 characters'

describe('the root secret', () => {
  it('the first start generates the root secret in a file that only its owner can read', async () => {
    const first = await loadRootSecret({ dataDir })
    const text = await readFile(path(), 'utf8')
    const second = await loadRootSecret({ dataDir })
    expect(Buffer.from(text, 'base64url')).toHaveLength(32)
    expect((await stat(path())).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataDir, 'secrets'))).mode & 0o777).toBe(0o700)
    expect(second.deriveKey('x')).toEqual(first.deriveKey('x'))
    expect(await readdir(join(dataDir, 'secrets'))).toEqual(['root-secret'])
  })

  it('the root secret is the same in all processes that start at the same time', async () => {
    const secrets = await Promise.all([1, 2, 3, 4].map(() => loadRootSecret({ dataDir })))
    const keys = new Set(secrets.map((secret) => secret.deriveKey('x').toString('hex')))
    expect(keys.size).toBe(1)
  })

  it('a replica that is configured with the content of the secret file has the same root secret', async () => {
    const generated = await loadRootSecret({ dataDir })
    const replica = await loadRootSecret({ dataDir: '/nowhere', configured: await readFile(path(), 'utf8') })
    expect(replica.open('x', generated.seal('x', 'hello')).toString()).toBe('hello')
  })

  it('a damaged root secret file is never overwritten', async () => {
    await loadRootSecret({ dataDir })
    await writeFile(path(), '')
    await expect(loadRootSecret({ dataDir })).rejects.toBeInstanceOf(StartupError)
    expect(await readFile(path(), 'utf8')).toBe('')
  })

  it('the server does not start if it cannot read the root secret', async () => {
    await writeFile(join(dataDir, 'secrets'), 'a file where the folder should be')
    await expect(loadRootSecret({ dataDir })).rejects.toBeInstanceOf(StartupError)
    await chmod(join(dataDir, 'secrets'), 0o600)
  })

  it('keys derived from the root secret differ between purposes and between secrets', async () => {
    const one = await loadRootSecret({ dataDir, configured })
    const other = await loadRootSecret({ dataDir, configured: `${configured}!` })
    const keys = [one.deriveKey('a'), one.deriveKey('b'), other.deriveKey('a')].map((key) =>
      key.toString('hex'),
    )
    expect(new Set(keys).size).toBe(3)
    expect(one.deriveKey('a')).toHaveLength(32)
  })
})

describe('sealed texts', () => {
  it('opening a sealed text returns the original, and sealing the same text twice gives different results', async () => {
    const secret = await loadRootSecret({ dataDir, configured })
    const [one, two] = [secret.seal('mail', 'Grüße'), secret.seal('mail', 'Grüße')]
    expect(one).not.toBe(two)
    expect(secret.open('mail', one).toString()).toBe('Grüße')
    expect(secret.open('mail', secret.seal('mail', Buffer.alloc(0)))).toHaveLength(0)
  })

  it('a sealed text cannot be opened after a single bit of it has changed', async () => {
    const secret = await loadRootSecret({ dataDir, configured })
    const sealed = secret.seal('mail', 'hello')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => secret.open('mail', `v1.${changed.toString('base64url')}`)).toThrow(SealError)
    }
  })

  it.each(['', 'v1', 'v1.', 'v1.AAAA', 'v2.AAAA', 'hello', 'v1.!!!'])(
    '%j is not a sealed text',
    async (text) => {
      const secret = await loadRootSecret({ dataDir, configured })
      expect(() => secret.open('mail', text)).toThrow(SealError)
    },
  )

  it('a sealed text cannot be opened for another purpose or with another secret', async () => {
    const secret = await loadRootSecret({ dataDir, configured })
    const other = await loadRootSecret({ dataDir, configured: `${configured}!` })
    const sealed = secret.seal('mail', 'hello')
    expect(() => secret.open('totp', sealed)).toThrow(SealError)
    expect(() => other.open('mail', sealed)).toThrow(SealError)
    expect(() => secret.open('mail', `${sealed}.`)).toThrow(SealError)
    expect(() => secret.open('mail', `${sealed}=`)).toThrow(SealError)
  })
})
