import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  InvalidKeyError,
  ObjectNotFoundError,
  type ObjectStorage,
} from '../../src/platform/storage/object-storage.ts'

/** An empty storage, and access to its contents. */
export interface OpenedStorage {
  storage: ObjectStorage
  /** The folder for its unfinished uploads. */
  pendingFolder: string
  /** Returns the names of everything that the storage contains: objects and unfinished files. */
  kept(): Promise<string[]>
  /** Opens the storage again, as another process would. */
  again(): Promise<ObjectStorage>
  /**
   * The source text of a module that another process runs to open the storage as `storage`. The text may use `log` and
   * `ignore`.
   */
  script: string
  close(): Promise<void>
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export async function* chunksOf(bytes: Buffer, size = 70_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export async function readObject(
  storage: ObjectStorage,
  key: string,
  range?: { start: number; end?: number },
): Promise<Buffer | null> {
  const opened = await storage.open(key, range)
  return opened && buffer(opened.stream)
}

/** Returns the source text of a program that starts an upload and never finishes it. */
const crashing = (script: string) => `
  const ignore = () => undefined
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  ${script}
  const pending = await storage.begin()
  await pending.write(Buffer.from('half'))
  console.log('written')
  setInterval(ignore, 1000)`

/** Defines the tests of the behavior that all kinds of storage share. */
export function describeStorage(open: () => Promise<OpenedStorage>): void {
  let opened: OpenedStorage
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())

  const pendingNames = () => readdir(opened.pendingFolder)
  const read = (key: string, range?: { start: number; end?: number }) =>
    readObject(opened.storage, key, range)

  describe('stored objects', () => {
    it('a stored object is returned unchanged, whole and in parts', async () => {
      const bytes = randomBytes(300_000)
      const stored = await opened.storage.put('models/a.stl', chunksOf(bytes))
      expect(stored).toEqual({ sizeBytes: bytes.length, sha256: sha256(bytes) })
      expect(await read('models/a.stl')).toEqual(bytes)
      expect(await read('models/a.stl', { start: 100, end: 199 })).toEqual(bytes.subarray(100, 200))
      expect(await read('models/a.stl', { start: 299_990 })).toEqual(bytes.subarray(299_990))
      expect(await read('models/a.stl', { start: 299_990, end: 999_999 })).toEqual(bytes.subarray(299_990))
      expect((await opened.storage.stat('models/a.stl'))?.sizeBytes).toBe(bytes.length)
      await expect(opened.storage.open('models/a.stl', { start: 300_000 })).rejects.toBeInstanceOf(RangeError)
    })

    it('a stored object is listed by a prefix of its key after it is committed', async () => {
      for (const key of ['models/a', 'models/b', 'thumbnails/a-v1.webp'])
        await opened.storage.put(key, chunksOf(Buffer.from(key)))
      const pending = await opened.storage.begin()
      await pending.write(Buffer.from('half'))
      expect(await pending.seal()).toEqual({ sizeBytes: 4, sha256: sha256(Buffer.from('half')) })
      const keys: string[] = []
      for await (const { key, modifiedAt } of opened.storage.list('models/')) {
        keys.push(key)
        expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000)
      }
      expect(keys.toSorted()).toEqual(['models/a', 'models/b'])
      await pending.abort()
    })

    it('a stored object may be empty', async () => {
      await opened.storage.put('empty', chunksOf(Buffer.alloc(0)))
      expect(await read('empty')).toEqual(Buffer.alloc(0))
    })

    it('a missing object is reported as missing, and opening it returns null', async () => {
      expect(await opened.storage.open('nothing')).toBe(null)
      expect(await opened.storage.stat('nothing')).toBe(null)
      await opened.storage.delete('nothing')
      await expect(opened.storage.withLocalFile('nothing', async () => 1)).rejects.toBeInstanceOf(
        ObjectNotFoundError,
      )
    })

    it('a stored object is gone after it was deleted', async () => {
      await opened.storage.put('a', chunksOf(Buffer.from('x')))
      expect(await opened.storage.stat('a')).not.toBe(null)
      await opened.storage.delete('a')
      expect(await opened.storage.stat('a')).toBe(null)
    })

    it('a stored object may have a key that is a prefix of another key', async () => {
      await opened.storage.put('a', chunksOf(Buffer.from('one')))
      await opened.storage.put('a/b', chunksOf(Buffer.from('two')))
      expect(String(await read('a'))).toBe('one')
      expect(String(await read('a/b'))).toBe('two')
    })

    it('a stored object can be read as a local file', async () => {
      await opened.storage.put('a', chunksOf(Buffer.from('text')))
      expect(await opened.storage.withLocalFile('a', (path) => readFile(path, 'utf8'))).toBe('text')
    })
  })

  describe('pending objects', () => {
    it('a pending object is invisible until it is committed', async () => {
      const pending = await opened.storage.begin()
      await pending.write(Buffer.from('hello '))
      await pending.write(Buffer.from('world'))
      expect(await opened.storage.stat('greeting')).toBe(null)
      const stored = await pending.commit('greeting')
      expect(stored).toEqual({ sizeBytes: 11, sha256: sha256(Buffer.from('hello world')) })
      expect(String(await read('greeting'))).toBe('hello world')
      expect(await pendingNames()).toEqual([])
    })

    it('a pending object can be read before it is committed, up to the last written byte', async () => {
      const pending = await opened.storage.begin()
      await pending.write(Buffer.from('half of '))
      expect(await pending.withLocalFile((path) => readFile(path, 'utf8'))).toBe('half of ')
      await pending.write(Buffer.from('it'))
      expect(await pending.withLocalFile((path) => readFile(path, 'utf8'))).toBe('half of it')
      await pending.commit('greeting')
      await expect(pending.withLocalFile((path) => readFile(path))).rejects.toThrow('committed or aborted')
    })

    it('a pending object leaves nothing behind when it is aborted, and can no longer be used', async () => {
      const pending = await opened.storage.begin()
      await pending.write(Buffer.from('x'))
      await pending.abort()
      await pending.abort()
      expect(await opened.kept()).toEqual([])
      await expect(pending.write(Buffer.from('x'))).rejects.toThrow('already been committed or aborted')
    })

    it('a pending object may be committed twice under one key, even in parallel', async () => {
      const bytes = randomBytes(1000)
      const two = await Promise.all([opened.storage.begin(), opened.storage.begin()])
      for (const pending of two) await pending.write(bytes)
      const stored = await Promise.all(two.map((pending) => pending.commit('same')))
      expect(stored[0]).toEqual(stored[1])
      expect(await read('same')).toEqual(bytes)
      await two[0].abort()
      expect(await opened.storage.stat('same')).not.toBe(null)
    })

    it('a pending object leaves nothing behind when its source ends early', async () => {
      const broken = async function* () {
        yield Buffer.from('half')
        throw new Error('connection lost')
      }
      await expect(opened.storage.put('half', broken())).rejects.toThrow('connection lost')
      expect(await opened.kept()).toEqual([])
    })
  })

  describe('keys of stored objects', () => {
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
    it.each([...keys, 'a'.repeat(201)])('an object with the invalid key %j is refused', async (key) => {
      await expect(opened.storage.put(key, chunksOf(Buffer.from('x')))).rejects.toBeInstanceOf(
        InvalidKeyError,
      )
      await expect((async () => opened.storage.open(key))()).rejects.toBeInstanceOf(InvalidKeyError)
      expect(await opened.kept()).toEqual([])
    })
  })

  describe('files that a crash left behind', () => {
    it('a file that a crash left behind is removed at the next start, but uploads of running processes are kept', async () => {
      const mine = await opened.storage.begin()
      const child = spawn(
        process.execPath,
        ['--input-type=module-typescript', '-e', crashing(opened.script)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      if (!child.stdout) throw new Error('no output')
      await once(createInterface({ input: child.stdout }), 'line')
      await opened.again()
      expect(await pendingNames()).toHaveLength(2)
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await opened.again()
      expect(await pendingNames()).toHaveLength(1)
      await mine.write(Buffer.from('still here'))
      await mine.commit('mine')
      expect(await opened.storage.stat('mine')).not.toBe(null)
    })

    it('a file of an unfinished upload is removed after an hour, even if the process that wrote it is still running', async () => {
      const path = join(opened.pendingFolder, 'stranger')
      await writeFile(path, 'x')
      expect(await opened.storage.sweep()).toBe(0)
      const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
      await utimes(path, longAgo, longAgo)
      expect(await opened.storage.sweep()).toBe(1)
      expect(await pendingNames()).toEqual([])
    })
  })

  describe('the check of a storage', () => {
    it('the check of a storage leaves no test object behind', async () => {
      await opened.storage.check()
      expect(await opened.kept()).toEqual([])
    })
  })
}
