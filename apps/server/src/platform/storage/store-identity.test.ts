import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { identifyStore } from './store-identity.ts'

async function aDataFolder(): Promise<{ dataDir: string; objects: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pegasus-store-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const objects = join(dataDir, 'objects')
  await mkdir(objects)
  return { dataDir, objects }
}

it('a storage folder keeps its identity, and a later start writes nothing into the folder', async () => {
  const { dataDir, objects } = await aDataFolder()
  const options = { dataDir, storageUrl: null, s3: null }
  const [one, other] = await Promise.all([identifyStore(options), identifyStore(options)])
  expect(one.id).toBe(other.id)

  const longAgo = new Date('2026-01-01')
  await utimes(objects, longAgo, longAgo)
  expect(await identifyStore(options)).toEqual(one)
  // The modification time of the folder shows that no file was created.
  expect((await stat(objects)).mtime).toEqual(longAgo)
})

it('the error for a damaged identity of a storage folder says how to repair it', async () => {
  const { dataDir, objects } = await aDataFolder()
  await writeFile(join(objects, '.store-id'), '')
  await expect(identifyStore({ dataDir, storageUrl: null, s3: null })).rejects.toThrow(
    'is damaged. It should hold a UUID: stop all servers, remove the file, and start them again.',
  )
})
