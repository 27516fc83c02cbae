import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { analyzed, upload } from '../../../../test/support/library/model-upload.ts'
import { aPrintJob, aProduct, anItem } from '../../../../test/support/stock-factories.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import { sweepOrphans } from '../upload/stored-bytes.ts'
import { purgeTrash } from './purge-trash.service.ts'

type Headers = Record<string, string>

const remove = (app: TestApp, headers: Headers, id: string) =>
  app.http.inject({ method: 'DELETE', url: `/api/stl-files/${id}`, headers })
async function keysOf(app: TestApp): Promise<string[]> {
  const keys: string[] = []
  for (const prefix of ['models/', 'thumbnails/'])
    for await (const { key } of app.storage.list(prefix)) keys.push(key)
  return keys.toSorted()
}
const left = async (app: TestApp) =>
  (await app.database.sql<{ title: string }[]>`select title from stl_files order by title`).map(
    ({ title }) => title,
  )

it('a deleted model is kept for 30 days, and is then removed together with the bytes that no other model uses', {
  timeout: 120_000,
}, async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const add = async (title: string, size: number) => {
    const answer = await upload(
      app,
      staff,
      { name: 'm.stl', bytes: writeBinaryStl(createCube(size)) },
      { title },
    )
    return analyzed(app, staff, answer.json<Model>().id)
  }
  const [shared, twin, third] = [await add('Shared', 10), await add('Twin', 10), await add('Third', 10)]
  const alone = await add('Alone', 20)
  expect([twin.duplicate_of, third.duplicate_of]).toEqual([shared.id, shared.id])
  const before = await keysOf(app)
  for (const { id } of [shared, alone]) expect((await remove(app, staff, id)).statusCode).toBe(204)

  app.clock.advance(30 * DAY_MS - 1)
  await app.cleanup.run()
  expect(await left(app)).toEqual(['Alone', 'Shared', 'Third', 'Twin'])
  app.clock.advance(1)
  await app.cleanup.run()
  expect(await left(app)).toEqual(['Third', 'Twin'])
  const gone = before.filter((key) => key.includes(alone.sha256))
  expect(gone.length).toBeGreaterThan(1)
  expect(await keysOf(app)).toEqual(before.filter((key) => !gone.includes(key)))
  const duplicates = await app.database.sql`select title, duplicate_of from stl_files order by title`
  expect(duplicates.map((row) => row['duplicate_of'])).toEqual([twin.id, null])
  const purged = (await entriesOf(app)).filter(({ action }) => action === 'model.purged')
  expect(new Set(purged.map((entry) => `${entry.entity_name} ${entry.actor_kind}`))).toEqual(
    new Set(['Alone system', 'Shared system']),
  )
})

it('T116 the purge keeps a deleted model that is still in use, so that it can be restored completely', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const models = await Promise.all(
    ['Item', 'Job', 'Product', 'Trashed item', 'Unused'].map((title) => aModel(app, { title })),
  )
  const [item, job, product, trashedItem, unused] = models as [string, string, string, string, string]
  await anItem(app, { stl_file_id: item })
  await aPrintJob(app, { stlFileId: job })
  await aProduct(app, { stlFileIds: [product] })
  const trashed = await anItem(app, { stl_file_id: trashedItem })
  await app.database.sql`update items set deleted_at = now() where id = ${trashed}`
  const usesOf = async (headers: Headers) => {
    const answers = await Promise.all(
      models.map((id) => app.http.inject({ url: `/api/stl-files/${id}/uses`, headers })),
    )
    return answers.map((answer) => {
      const { items, print_jobs: jobs, products } = answer.json<Record<string, unknown[]>>()
      return [items?.length, jobs?.length, products?.length]
    })
  }
  const uses = await usesOf(staff)
  expect(uses).toEqual([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 0],
    [0, 0, 0],
  ])
  for (const id of models) expect((await remove(app, staff, id)).statusCode).toBe(204)
  app.clock.advance(400 * DAY_MS)
  await app.cleanup.run()
  await app.cleanup.run()
  expect(await left(app)).toEqual(['Item', 'Job', 'Product', 'Trashed item'])

  const later = await app.as('staff')
  for (const id of models) {
    const answer = await app.http.inject({
      method: 'POST',
      url: `/api/stl-files/${id}/restore`,
      headers: later,
    })
    expect(answer.statusCode).toBe(id === unused ? 404 : 200)
  }
  const orphans = (await usesOf(later)).filter(
    (use, at) => models[at] !== unused && `${use}` !== `${uses[at]}`,
  )
  const [dangling] = await app.database.sql<[{ count: number }]>`
    select count(*)::int as count from stl_files f
    left join stl_versions v on v.id = f.current_version_id where v.id is null`
  console.info(`T116 references broken ${orphans.length}, orphans ${dangling.count} of ${models.length}`)
  expect([orphans, dangling.count]).toEqual([[], 0])
})

it('models outside the trash count as similar if they have the same bytes or the same shape', async () => {
  const app = await buildTestApp()
  const viewer = await app.as('viewer')
  const [bytes, other] = ['a'.repeat(64), 'b'.repeat(64)]
  const one = await aModel(app, { title: 'One', sha256: bytes, shapeHash: 's' })
  await aModel(app, { title: 'Same bytes', sha256: bytes, shapeHash: 's' })
  await aModel(app, { title: 'Same shape', sha256: other, shapeHash: 's' })
  await aModel(app, { title: 'Other', shapeHash: 't' })
  await aModel(app, { title: 'Unmeasured', shapeHash: null })
  const trashed = await aModel(app, { title: 'Trashed', sha256: bytes })
  await app.database.sql`update stl_files set deleted_at = now() where id = ${trashed}`
  const answer = await app.http.inject({ url: `/api/stl-files/${one}/similar`, headers: viewer })
  const similar = answer.json<{ reason: string; model: Model }[]>()
  expect(similar.map(({ reason, model }) => [reason, model.title])).toEqual([
    ['same_bytes', 'Same bytes'],
    ['same_shape', 'Same shape'],
  ])
})

it('the purge of deleted models continues if the storage is unreachable, and a cleanup removes the bytes later', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(64))
  for (const sha256 of hashes) {
    await app.storage.put(`models/${sha256}`, new Blob(['x']).stream())
    await remove(app, staff, await aModel(app, { sha256 }))
  }
  app.clock.advance(30 * DAY_MS)
  const away = { ...app.storage, delete: () => Promise.reject(new Error('The storage is away.')) }
  expect(await purgeTrash({ database: app.database, clock: app.clock, storage: away })).toBe(3)
  expect([await left(app), (await keysOf(app)).length]).toEqual([[], 3])
  app.clock.advance(2 * HOUR_MS)
  expect([await sweepOrphans(app), (await keysOf(app)).length]).toEqual([3, 0])
})
