import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, open, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../test/silent-log.ts'
import { asStorageError } from './disk-pending.ts'
import { openDiskStorage } from './disk-storage.ts'
import {
  InvalidKeyError,
  ObjectNotFoundError,
  type ObjectStorage,
  StorageFullError,
} from './object-storage.ts'

let folder: string
let storage: ObjectStorage

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegasus-storage-'))
  storage = await openDiskStorage({ folder, log: silentLog })
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const pendingNames = () => readdir(join(folder, '.pending'))

async function* chunksOf(bytes: Buffer, size = 70_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(key: string, range?: { start: number; end?: number }): Promise<Buffer | null> {
  const opened = await storage.open(key, range)
  return opened && buffer(opened.stream)
}

async function allFiles(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe('an object', () => {
  it('comes back as it was stored, whole and in parts', async () => {
    const bytes = randomBytes(300_000)
    const stored = await storage.put('models/a.stl', chunksOf(bytes))
    expect(stored).toEqual({ sizeBytes: bytes.length, sha256: sha256(bytes) })
    expect(await read('models/a.stl')).toEqual(bytes)
    expect(await read('models/a.stl', { start: 100, end: 199 })).toEqual(bytes.subarray(100, 200))
    expect(await read('models/a.stl', { start: 299_990 })).toEqual(bytes.subarray(299_990))
    expect(await read('models/a.stl', { start: 299_990, end: 999_999 })).toEqual(bytes.subarray(299_990))
    expect((await storage.stat('models/a.stl'))?.sizeBytes).toBe(bytes.length)
    await expect(storage.open('models/a.stl', { start: 300_000 })).rejects.toBeInstanceOf(RangeError)
  })

  it('is listed by the beginning of its key, with what is not yet committed left out', async () => {
    for (const key of ['models/a', 'models/b', 'thumbnails/a-v1.webp'])
      await storage.put(key, chunksOf(Buffer.from(key)))
    const pending = await storage.begin()
    await pending.write(Buffer.from('half'))
    expect(await pending.seal()).toEqual({ sizeBytes: 4, sha256: sha256(Buffer.from('half')) })
    const keys: string[] = []
    for await (const { key, modifiedAt } of storage.list('models/')) {
      keys.push(key)
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000)
    }
    expect(keys.toSorted()).toEqual(['models/a', 'models/b'])
    await pending.abort()
  })

  it('may be empty', async () => {
    await storage.put('empty', chunksOf(Buffer.alloc(0)))
    expect(await read('empty')).toEqual(Buffer.alloc(0))
  })

  it('is only for the eyes of its owner', async () => {
    await storage.put('secret', chunksOf(Buffer.from('x')))
    const [path = ''] = await allFiles()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('that is not there is no object rather than an error', async () => {
    expect(await storage.open('nothing')).toBe(null)
    expect(await storage.stat('nothing')).toBe(null)
    await storage.delete('nothing')
    await expect(storage.withLocalFile('nothing', async () => 1)).rejects.toBeInstanceOf(ObjectNotFoundError)
  })

  it('is gone after it was deleted', async () => {
    await storage.put('a', chunksOf(Buffer.from('x')))
    expect(await storage.stat('a')).not.toBe(null)
    await storage.delete('a')
    expect(await storage.stat('a')).toBe(null)
  })

  it('may have a key that is the beginning of another one', async () => {
    await storage.put('a', chunksOf(Buffer.from('one')))
    await storage.put('a/b', chunksOf(Buffer.from('two')))
    expect(String(await read('a'))).toBe('one')
    expect(String(await read('a/b'))).toBe('two')
  })

  it('is lent as a local file', async () => {
    await storage.put('a', chunksOf(Buffer.from('text')))
    expect(await storage.withLocalFile('a', (path) => readFile(path, 'utf8'))).toBe('text')
  })
})

describe('a pending object', () => {
  it('is seen by nobody until it is committed', async () => {
    const pending = await storage.begin()
    await pending.write(Buffer.from('hello '))
    await pending.write(Buffer.from('world'))
    expect(await storage.stat('greeting')).toBe(null)
    const stored = await pending.commit('greeting')
    expect(stored).toEqual({ sizeBytes: 11, sha256: sha256(Buffer.from('hello world')) })
    expect(String(await read('greeting'))).toBe('hello world')
    expect(await pendingNames()).toEqual([])
  })

  it('lends what was written so far, until it is committed', async () => {
    const pending = await storage.begin()
    await pending.write(Buffer.from('half of '))
    expect(await pending.withLocalFile((path) => readFile(path, 'utf8'))).toBe('half of ')
    await pending.write(Buffer.from('it'))
    expect(await pending.withLocalFile((path) => readFile(path, 'utf8'))).toBe('half of it')
    await pending.commit('greeting')
    await expect(pending.withLocalFile((path) => readFile(path))).rejects.toThrow('committed or aborted')
  })

  it('leaves nothing when it is aborted, and cannot be used any more', async () => {
    const pending = await storage.begin()
    await pending.write(Buffer.from('x'))
    await pending.abort()
    await pending.abort()
    expect(await allFiles()).toEqual([])
    await expect(pending.write(Buffer.from('x'))).rejects.toThrow('already been committed or aborted')
  })

  it('may be committed twice under one key, also at the same time', async () => {
    const bytes = randomBytes(1000)
    const two = await Promise.all([storage.begin(), storage.begin()])
    for (const pending of two) await pending.write(bytes)
    const stored = await Promise.all(two.map((pending) => pending.commit('same')))
    expect(stored[0]).toEqual(stored[1])
    expect(await read('same')).toEqual(bytes)
    await two[0].abort()
    expect(await storage.stat('same')).not.toBe(null)
  })

  it('leaves nothing when its source breaks off', async () => {
    const broken = async function* () {
      yield Buffer.from('half')
      throw new Error('connection lost')
    }
    await expect(storage.put('half', broken())).rejects.toThrow('connection lost')
    expect(await allFiles()).toEqual([])
  })
})

describe('keys', () => {
  const keys = [
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '..',
    'a/../b',
    'a..b',
    './a',
    'a/.hidden',
    'A',
    'ä',
    'a b',
    'a\\b',
    'a\0b',
    'a+b',
    '%2e%2e',
  ]
  it.each([...keys, 'a'.repeat(201)])('refuses %j', async (key) => {
    await expect(storage.put(key, chunksOf(Buffer.from('x')))).rejects.toBeInstanceOf(InvalidKeyError)
    await expect((async () => storage.open(key))()).rejects.toBeInstanceOf(InvalidKeyError)
    expect(await allFiles()).toEqual([])
  })

  it('do not lead out of the folder by way of a link', async () => {
    await storage.put('a', chunksOf(Buffer.from('x')))
    const [path = ''] = await allFiles()
    await rm(path)
    const outside = join(folder, 'outside')
    await writeFile(outside, 'secret')
    await symlink(outside, path)
    await expect(storage.open('a')).rejects.toThrow('ELOOP')
  })
})

describe('what a crash leaves behind', () => {
  const code = () => `
    import { openDiskStorage } from '${new URL('./disk-storage.ts', import.meta.url)}'
    const ignore = () => undefined
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
    const storage = await openDiskStorage({ folder: ${JSON.stringify(folder)}, log })
    const pending = await storage.begin()
    await pending.write(Buffer.from('half'))
    console.log('written')
    setInterval(ignore, 1000)`

  it('is swept at the next start, while the uploads of living processes stay', async () => {
    const mine = await storage.begin()
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (!child.stdout) throw new Error('no output')
    await once(createInterface({ input: child.stdout }), 'line')
    await openDiskStorage({ folder, log: silentLog })
    expect(await pendingNames()).toHaveLength(2)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    await openDiskStorage({ folder, log: silentLog })
    expect(await pendingNames()).toHaveLength(1)
    await mine.write(Buffer.from('still here'))
    await mine.commit('mine')
    expect(await storage.stat('mine')).not.toBe(null)
  })

  it('is swept after an hour whoever wrote it', async () => {
    const path = join(folder, '.pending', 'stranger')
    await writeFile(path, 'x')
    expect(await storage.sweep()).toBe(0)
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
    await utimes(path, longAgo, longAgo)
    expect(await storage.sweep()).toBe(1)
    expect(await pendingNames()).toEqual([])
  })
})

describe('a disk', () => {
  it('that can be written passes the check and keeps no probe', async () => {
    await storage.check()
    expect(await allFiles()).toEqual([])
  })

  it('that is gone fails the check', async () => {
    await rm(folder, { recursive: true })
    await expect(storage.check()).rejects.toThrow('ENOENT')
  })

  it.runIf(process.platform === 'linux')('that is full is told apart from other errors', async () => {
    const full = await open('/dev/full', 'w')
    await expect(asStorageError(() => full.write(Buffer.from('x')))).rejects.toBeInstanceOf(StorageFullError)
    await full.close()
    await expect(asStorageError(() => open(join(folder, 'nothing')))).rejects.toThrow('ENOENT')
  })
})
