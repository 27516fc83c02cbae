import type { Model } from '@pegasus/contracts/stl-library/models'
import { MODEL_UPLOADS_PATH } from '@pegasus/contracts/stl-library/resumable-upload'
import { createGear } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { Upload } from 'tus-js-client'
import { expect, it } from 'vitest'
import { offsetOf, tusCalls } from '../../../../test/storage/resumable-upload.ts'
import { baseUrlOf } from '../../../../test/storage/storage-client.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'

type Headers = Record<string, string>

const GEAR = Buffer.from(writeBinaryStl(createGear(24)))

const addModel = (app: TestApp, url: string, headers: Headers, payload: object = {}) =>
  app.http.inject({ method: 'POST', url: `${url}/model`, headers, payload })

async function anUpload(app: TestApp, headers: Headers, bytes: Buffer, filename = 'gear 24.stl') {
  const calls = tusCalls(app, headers, MODEL_UPLOADS_PATH)
  const url = String((await calls.create(bytes.length, { filename })).headers.location)
  const half = Math.floor(bytes.length / 2)
  expect((await calls.write(url, 0, bytes.subarray(0, half))).statusCode).toBe(204)
  return { calls, url, half }
}

it('a model that arrives in several requests is created once, even if the last request is repeated several times', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const { calls, url, half } = await anUpload(app, staff, GEAR)
  expect((await addModel(app, url, staff)).statusCode).toBe(409)
  expect(await offsetOf(calls, url)).toBe(half)
  await calls.write(url, half, GEAR.subarray(half))
  const once = { ...staff, 'idempotency-key': 'once' }
  const fields = { title: 'Wheel', tags: '["gear"]' }
  const first = await addModel(app, url, once, fields)
  expect([first.statusCode, first.json<Model>()]).toMatchObject([
    201,
    { title: 'Wheel', tags: ['gear'], file_name: 'gear 24.stl', file_size: GEAR.length },
  ])
  expect((await addModel(app, url, once, fields)).json<Model>().id).toBe(first.json<Model>().id)
  expect((await addModel(app, url, once, { title: 'Other' })).statusCode).toBe(409)
  expect((await addModel(app, url, staff, fields)).statusCode).toBe(404)
  const file = await app.http.inject({
    url: `/api/stl-files/${first.json<Model>().id}/file`,
    headers: staff,
  })
  expect(file.rawPayload.equals(GEAR)).toBe(true)
  expect(await app.database.sql`select 1 from resumable_chunks`).toEqual([])
})

it('the official client of the resumable upload protocol uploads a model', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const endpoint = `${await baseUrlOf(app)}${MODEL_UPLOADS_PATH}`
  const url = await new Promise<string>((resolve, reject) => {
    const upload: Upload = new Upload(GEAR, {
      endpoint,
      headers: staff,
      chunkSize: 1000,
      metadata: { filename: 'wheel.stl' },
      onError: reject,
      onSuccess: () => resolve(new URL(upload.url ?? '').pathname),
    })
    upload.start()
  })
  expect((await addModel(app, url, staff)).statusCode).toBe(201)
})

it('a resumable upload ends if its file is not a model, and can be used only by its owner', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const text = Buffer.from('This is no model, although its name says so.')
  const { calls, url, half } = await anUpload(app, staff, text)
  await calls.write(url, half, text.subarray(half))
  expect((await addModel(app, url, await app.as('admin'))).statusCode).toBe(404)
  expect((await addModel(app, url, await app.as('viewer'))).statusCode).toBe(403)
  expect((await addModel(app, url, staff, { license_type: 'none' })).statusCode).toBe(422)
  expect((await addModel(app, url, staff)).statusCode).toBe(422)
  expect(await offsetOf(calls, url)).toBe(404)
  // The storage protocol gives no access to the uploads of the library.
  const other = await anUpload(app, staff, GEAR)
  const inStorage = other.url.replace(MODEL_UPLOADS_PATH, '/storage/v1/upload/resumable')
  expect((await calls.write(inStorage, other.half, GEAR.subarray(other.half))).statusCode).toBe(404)
})

it('an upload becomes one model, even if several requests finish it at the same time', async () => {
  const app = await buildTestApp()
  const replica = await app.replica()
  const staff = await app.as('staff')
  const { calls, url, half } = await anUpload(app, staff, GEAR)
  await calls.write(url, half, GEAR.subarray(half))
  const answers = await Promise.all(
    [app, replica, app, replica].map((each) => addModel(each, url, staff, { title: 'Wheel' })),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 404, 404, 404])
  expect(await app.database.sql`select title from stl_files`).toEqual([{ title: 'Wheel' }])
  const second = await anUpload(app, staff, GEAR)
  await second.calls.write(second.url, second.half, GEAR.subarray(second.half))
  const once = { ...staff, 'idempotency-key': 'once' }
  const repeated = await Promise.all(
    [app, replica].map((each) => addModel(each, second.url, once, { title: 'Wheel' })),
  )
  expect(repeated.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  expect(new Set(repeated.map((answer) => answer.json<Model>().id)).size).toBe(1)
})
