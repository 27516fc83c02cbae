import { createHash } from 'node:crypto'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import { createBox } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { says, startChatServer } from '../../../../test/servers/chat-server.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { analyzed } from '../../../../test/support/library/model-upload.ts'
import { lockBytes } from '../upload/upload.queries.ts'
import { LARGE_TRIANGLES } from './analysis-limits.ts'
import { insertWaitingModel } from '../../../../test/support/library/waiting-model.ts'

type Headers = { authorization: string }

const boxOf = (index: number) => writeBinaryStl(createBox(12, 20, 5.5 + index))

const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Inserts a model that waits for its analysis but has no task. The number of triangles decides which queue it belongs
 * to.
 */
async function aWaitingModel(
  app: TestApp,
  name: string,
  index = 0,
  triangles = 12,
): Promise<Pick<Model, 'id'>> {
  const bytes = boxOf(index)
  const sha256 = shaOf(bytes)
  await app.storage.put(`models/${sha256}`, new Blob([bytes.slice()]).stream())
  return insertWaitingModel(app, {
    title: name,
    fileName: name,
    triangles,
    suggestedFields: ['title'],
    fieldsToSuggest: ['description'],
    sizeBytes: bytes.byteLength,
    sha256,
  })
}

const statusOf = async (app: TestApp, { id }: Pick<Model, 'id'>) => {
  const [row] = await app.database.sql<{ analysis_status: string }[]>`
    select analysis_status from stl_versions where stl_file_id = ${id}`
  return row?.analysis_status
}
const remove = (app: TestApp, headers: Headers, { id }: Pick<Model, 'id'>) =>
  app.http.inject({ method: 'DELETE', url: `/api/stl-files/${id}`, headers })
const restore = async (app: TestApp, headers: Headers, { id }: Pick<Model, 'id'>) =>
  (await app.http.inject({ method: 'POST', url: `/api/stl-files/${id}/restore`, headers })).json<Model>()
const read = async (app: TestApp, headers: Headers, { id }: Pick<Model, 'id'>) =>
  (await app.http.inject({ url: `/api/stl-files/${id}`, headers })).json<Model>()

const eventually = { timeout: 60_000, interval: 50 }

describe('models whose analysis task was lost', () => {
  it('a model whose analysis task was lost gets a new task at the next start', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aWaitingModel(app, 'a.stl')
    await app.replica()
    expect(await analyzed(app, staff, model.id)).toMatchObject({
      analysis_status: 'done',
      description: '12.0 × 20.0 × 5.5 mm, one watertight part',
    })
  })

  it('a model whose suggestion task was lost gets its suggestions after the next start', async () => {
    const chat = await startChatServer(says(JSON.stringify({ description: 'A clip.' })))
    const app = await buildTestApp({ variables: { AI_BASE_URL: chat.baseUrl, AI_MODEL: 'm' } })
    const staff = await app.as('staff')
    const model = await aModel(app, { box: { min: [0, 0, 0], max: [1, 2, 3], size: [1, 2, 3] } })
    await app.database.sql`
      update stl_files set description = null, fields_to_suggest = '{description}' where id = ${model}`
    await app.replica()
    await expect
      .poll(async () => (await read(app, staff, { id: model })).suggested_fields, eventually)
      .toEqual(['description'])
  })
})

describe('small models that wait behind large ones', () => {
  it('a small model is analyzed while large ones wait', async () => {
    const app = await buildTestApp()
    const large: Pick<Model, 'id'>[] = []
    for (const index of [1, 2]) large.push(await aWaitingModel(app, `${index}.stl`, index, LARGE_TRIANGLES))
    const small = await aWaitingModel(app, 'small.stl')
    await app.database.transaction(async (tx) => {
      // Lock the bytes of the large models, so that their results cannot be saved and their tasks do not end.
      for (const index of [1, 2]) await lockBytes(tx, shaOf(boxOf(index)))
      await app.replica()
      await expect.poll(() => statusOf(app, small), eventually).toBe('done')
      for (const model of large) expect(await statusOf(app, model)).toBe('pending')
    })
    for (const model of large) await expect.poll(() => statusOf(app, model), eventually).toBe('done')
  })
})

describe('the analysis of models in the trash', () => {
  it('a model that was analyzed in the trash gets its description when it is restored, alone or in bulk', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const one = await aWaitingModel(app, 'a.stl')
    const other = await aWaitingModel(app, 'b.stl', 1)
    for (const model of [one, other]) expect((await remove(app, staff, model)).statusCode).toBe(204)
    await app.replica()
    for (const model of [one, other]) await expect.poll(() => statusOf(app, model), eventually).toBe('done')
    const back = await restore(app, staff, one)
    expect(back.description).toBe('12.0 × 20.0 × 5.5 mm, one watertight part')
    expect(back.suggested_fields.toSorted()).toEqual(['description', 'title'])
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/stl-files/bulk',
      headers: staff,
      payload: { ids: [other.id], move: 'library' },
    })
    expect(answer.json<BulkResult>().changed).toEqual([other.id])
    expect((await read(app, staff, other)).description).toBe('12.0 × 20.0 × 6.5 mm, one watertight part')
  })

  it('a model that was analyzed in the trash is sent to an AI endpoint only after it is restored', async () => {
    const chat = await startChatServer(says(JSON.stringify({ description: 'A clip.' })))
    const app = await buildTestApp({ variables: { AI_BASE_URL: chat.baseUrl, AI_MODEL: 'm' } })
    const staff = await app.as('staff')
    const model = await aWaitingModel(app, 'a.stl')
    await remove(app, staff, model)
    await app.replica()
    await expect.poll(() => statusOf(app, model), eventually).toBe('done')
    const openTasks = async () => {
      const [row] = await app.database.sql<[{ open: number }]>`
        select count(*)::int as open from pgboss.job where name = 'stl-library.suggest' and state < 'completed'`
      return row.open
    }
    await expect.poll(openTasks, eventually).toBe(0)
    expect(chat.requests).toEqual([])
    await restore(app, staff, model)
    await expect.poll(async () => (await read(app, staff, model)).description, eventually).toBe('A clip.')
    expect(chat.requests).toHaveLength(1)
  })
})
