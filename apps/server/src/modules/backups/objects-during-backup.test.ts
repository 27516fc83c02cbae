import { expect, it } from 'vitest'
import { tusCalls } from '../../../test/storage/resumable-upload.ts'
import { anEmptyFolder } from '../../../test/support/backups.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { HOUR_MS } from '../../platform/clock.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { backUpServer } from './backup-commands.ts'

it('T109 a backup contains an object that existed at the snapshot, even if the object is deleted during the backup', async () => {
  const app = await buildTestApp()
  const uploads = tusCalls(app, await app.as('staff'), '/api/stl-files/uploads')
  const keys = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { key } of app.storage.list('resumable/')) found.push(key)
    return found
  }
  let address = ''
  let created: string[] = []
  let passes = 0
  const storage: ObjectStorage = {
    ...app.storage,
    async *list(prefix) {
      passes += 1
      // The second listing of the objects comes after the snapshot. Delete the upload at that moment.
      if (passes === 2) expect((await uploads.remove(address)).statusCode).toBe(204)
      yield* app.storage.list(prefix)
      if (passes > 1) return
      const made = await uploads.create(20, { filename: 'part.stl' })
      expect(made.statusCode, made.body).toBe(201)
      address = new URL(String(made.headers.location), 'http://localhost').pathname
      expect((await uploads.write(address, 0, Buffer.alloc(10))).statusCode).toBe(204)
      created = await keys()
    },
  }
  const options = { config: app.config, database: app.database, storage, version: '0', keep: null }
  const { manifest } = await backUpServer(await anEmptyFolder(), options)
  expect(created).toHaveLength(1)
  expect(manifest.tables.find(({ name }) => name === 'resumable_chunks')?.rows).toBe(1)
  expect(manifest.objects.map(({ key }) => key)).toContain(created[0])
  // The upload is gone for people. The cleanup removes its bytes.
  expect((await uploads.head(address)).statusCode).toBe(404)
  app.clock.advance(2 * HOUR_MS)
  await app.cleanup.run()
  expect(await keys()).toEqual([])
})
