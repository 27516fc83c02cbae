import type { ProductStart } from '@pegasus/contracts/products/setup'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import sharp from 'sharp'
import { expect, it, vi } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { upload } from '../../../../test/support/library/model-upload.ts'
import { expectOneResponse } from '../../../../test/support/repeated-requests.ts'

it('T93 repeated requests for the pictures of a model with one key return the same files, even after one is replaced', {
  timeout: 60_000,
}, async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const bytes = writeBinaryStl(createCube(20))
  const { id } = (await upload(app, staff, { name: 'cube.stl', bytes })).json<Model>()
  const drawnPictures = async () =>
    (
      await app.http.inject({ url: `/api/products/start?stl_file_id=${id}`, headers: staff })
    ).json<ProductStart>().pictures.length
  await vi.waitUntil(async () => (await drawnPictures()) === 2, {
    timeout: 30_000,
    interval: 200,
  })
  const take = (slug: string) => ({
    url: '/api/products/start/pictures',
    payload: { stl_file_id: id, slug },
  })
  const taken = await expectOneResponse(app, staff, take('cube'), take('box'))
  expect(taken.statusCode, taken.body).toBe(201)
  const { images } = taken.json<{ images: string[] }>()
  const payload = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const replaced = await app.http.inject({
    method: 'PUT',
    url: images[0]!.replace('/public', ''),
    headers: { ...staff, 'content-type': 'image/jpeg' },
    payload,
  })
  expect(replaced.statusCode).toBe(200)
  const repeated = await expectOneResponse(app, staff, take('cube'), take('box'))
  expect(repeated.json()).toEqual(taken.json())
  const [{ count }] = await app.database.sql<[{ count: number }]>`select count(*)::int as count from objects`
  expect(count).toBe(3)
})
