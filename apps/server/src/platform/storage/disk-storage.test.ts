import { mkdtemp, open, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { chunksOf, describeStorage, type OpenedStorage } from '../../../test/storage/storage-behavior.ts'
import { openDiskStorage } from './disk-storage.ts'
import { type ObjectStorage, StorageFullError } from './object-storage.ts'
import { asStorageError } from './pending-file.ts'

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function openOnDisk(): Promise<OpenedStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-storage-'))
  const again = () => openDiskStorage({ folder, log: silentLog })
  return {
    storage: await again(),
    again,
    pendingFolder: join(folder, '.pending'),
    kept: () => filesOf(folder),
    script: `
      import { openDiskStorage } from '${new URL('./disk-storage.ts', import.meta.url)}'
      const storage = await openDiskStorage({ folder: ${JSON.stringify(folder)}, log })`,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

describe('storage on a disk', () => describeStorage(openOnDisk))

let folder: string
let storage: ObjectStorage

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegasus-storage-'))
  storage = await openDiskStorage({ folder, log: silentLog })
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe('objects in disk storage', () => {
  it('only the owner of the file can read an object in disk storage', async () => {
    await storage.put('secret', chunksOf(Buffer.from('x')))
    const [path = ''] = await filesOf(folder)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('a symbolic link in disk storage cannot lead out of the folder', async () => {
    await storage.put('a', chunksOf(Buffer.from('x')))
    const [path = ''] = await filesOf(folder)
    await rm(path)
    const outside = join(folder, 'outside')
    await writeFile(outside, 'secret')
    await symlink(outside, path)
    await expect(storage.open('a')).rejects.toThrow('ELOOP')
  })
})

describe('checks of the disk of the disk storage', () => {
  it('disk storage fails its check if the folder is missing', async () => {
    await rm(folder, { recursive: true })
    await expect(storage.check()).rejects.toThrow('ENOENT')
  })

  it.runIf(process.platform === 'linux')(
    'disk storage reports a full disk separately from other errors',
    async () => {
      const full = await open('/dev/full', 'w')
      await expect(asStorageError(() => full.write(Buffer.from('x')))).rejects.toBeInstanceOf(
        StorageFullError,
      )
      await full.close()
      await expect(asStorageError(() => open(join(folder, 'nothing')))).rejects.toThrow('ENOENT')
    },
  )
})
