import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { aModel } from '../../../test/support/library/library-factories.ts'
import { read, sendForm, sendRaw } from '../../../test/storage/media-upload.ts'
import { aPicture } from '../../../test/support/library/pictures.ts'
import { HOUR_MS } from '../../platform/clock.ts'
import { type ObjectStorage, StorageFullError } from '../../platform/storage/object-storage.ts'

const countObjects = async (app: TestApp): Promise<number> => {
  const [row] = await app.database.sql<[{ count: number }]>`select count(*)::int as count from objects`
  return row.count
}

const leftovers = ({ dataDir }: TestApp): Promise<string[]> => readdir(join(dataDir, 'objects', '.pending'))

/** Makes the storage report that it is full, in the given call. */
function fill(storage: ObjectStorage, at: 'begin' | 'write' | 'seal' | 'commit'): { empty(): void } {
  const { begin } = storage
  const full = async (): Promise<never> => Promise.reject(new StorageFullError('There is no room left.'))
  storage.begin = async () => {
    if (at === 'begin') return full()
    const pending = await begin()
    Object.defineProperty(pending, at, { value: full })
    return pending
  }
  return {
    empty() {
      storage.begin = begin
    },
  }
}

it('a cleanup that runs during uploads of the same bytes removes no bytes that a media file uses', async () => {
  const app = await buildTestApp()
  const other = await app.replica()
  const bytes = await aPicture({ width: 20, height: 20 })
  // The clock is ahead, so that files written now are already old enough for the sweep.
  app.clock.advance(3 * HOUR_MS)
  const staff = await app.as('staff')
  const remove = (path: string) =>
    app.http.inject({
      method: 'DELETE',
      url: '/storage/v1/object/product-images',
      headers: staff,
      payload: { prefixes: [path] },
    })
  const rounds = 12
  let lost = 0
  for (let round = 0; round < rounds; round += 1) {
    const path = `r-${round}.jpg`
    await sendForm(app, staff, { path: 'old.jpg', bytes })
    await remove('old.jpg')
    const [, , stored] = await Promise.all([
      app.cleanup.run(),
      other.cleanup.run(),
      sendForm(other, staff, { path, bytes }),
    ])
    expect(stored.statusCode).toBe(200)
    const shown = await read(app, path)
    if (shown.statusCode !== 200 || shown.rawPayload.length === 0) lost += 1
    await remove(path)
  }
  console.info(`media lost to a sweep while they were stored ${lost} of ${rounds}`)
  expect(lost).toBe(0)
})

describe('a full or missing storage', () => {
  it("an upload to full storage fails in the protocol's format, keeps existing files and leaves nothing behind", async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [before, after] = await Promise.all([
      aPicture({ width: 20, height: 20 }),
      aPicture({ width: 30, height: 30 }),
    ])
    expect((await sendForm(app, staff, { path: 'a.jpg', bytes: before })).statusCode).toBe(200)
    const shown = (await read(app, 'a.jpg')).rawPayload
    const places = ['begin', 'write', 'seal', 'commit'] as const
    let changed = 0
    for (const place of places) {
      const fault = fill(app.storage, place)
      for (const send of [
        () => sendForm(app, staff, { path: 'a.jpg', bytes: after }),
        () => sendRaw(app, { ...staff, 'content-type': 'image/jpeg' }, 'b.jpg', after),
      ]) {
        const answer = await send()
        expect([place, answer.statusCode, answer.json()]).toMatchObject([
          place,
          507,
          { statusCode: '507', message: 'There is no space left to store this. Nothing was saved.' },
        ])
      }
      fault.empty()
      if (!(await read(app, 'a.jpg')).rawPayload.equals(shown)) changed += 1
      expect([await countObjects(app), await leftovers(app)]).toEqual([1, []])
    }
    console.info(`media changed by uploads that found no room ${changed} of ${places.length * 2}`)
    expect(changed).toBe(0)
    expect((await sendForm(app, staff, { path: 'a.jpg', bytes: after })).statusCode).toBe(200)
  })

  it("copying a model's pictures for a product fails with 507 if the storage is full, and stores no part of them", async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aModel(app, { title: 'Cube' })
    await app.storage.put('drawn', Readable.from([await aPicture({ width: 20, height: 20 })]))
    await app.database.sql`update stl_versions set thumbnail_key = 'drawn' where stl_file_id = ${id}`
    const take = () =>
      app.http.inject({
        method: 'POST',
        url: '/api/products/start/pictures',
        headers: staff,
        payload: { stl_file_id: id, slug: 'cube' },
      })
    for (const place of ['begin', 'write', 'seal', 'commit'] as const) {
      const fault = fill(app.storage, place)
      const answer = await take()
      expect([place, answer.statusCode, answer.json()]).toMatchObject([
        place,
        507,
        { detail: 'There is no space left to store this. Nothing was saved.' },
      ])
      fault.empty()
      expect([place, await countObjects(app), await leftovers(app)]).toEqual([place, 0, []])
    }
    expect((await take()).statusCode).toBe(201)
  })

  it('an upload fails while the storage folder is missing, and works again when the folder is back', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bytes = await aPicture({ width: 20, height: 20 })
    expect((await sendForm(app, staff, { path: 'a.jpg', bytes })).statusCode).toBe(200)
    const folder = join(app.dataDir, 'objects')
    await rename(folder, `${folder}-away`)
    const refused = await sendForm(app, staff, { path: 'b.jpg', bytes })
    expect([refused.statusCode, refused.json()]).toMatchObject([500, { message: expect.any(String) }])
    expect(refused.body).not.toContain(folder)
    expect(await countObjects(app)).toBe(1)
    await rename(`${folder}-away`, folder)
    expect((await read(app, 'a.jpg')).statusCode).toBe(200)
    expect((await sendForm(app, staff, { path: 'b.jpg', bytes })).statusCode).toBe(200)
  })
})
