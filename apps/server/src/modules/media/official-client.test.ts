import { mediaPath, nameMedia, publicMediaPath } from '@pegasus/contracts/media/media-files'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { aPicture, aWebm } from '../../../test/support/library/pictures.ts'
import { aStorageClient } from '../../../test/storage/storage-client.ts'

it('the official client can upload, replace, read, list and remove files', async () => {
  const app = await buildTestApp()
  const { url, bucket } = await aStorageClient(app, 'staff')
  const jpeg = await aPicture({ width: 8, height: 8 })
  const [path = ''] = nameMedia('dragon', [{ name: 'IMG.JPEG' }]).map(mediaPath)
  const options = { upsert: true, cacheControl: '3600' }
  const file = new File([new Uint8Array(jpeg)], 'IMG.JPEG', { type: 'image/jpeg' })
  for (let twice = 0; twice < 2; twice += 1) {
    const { data, error } = await bucket.upload(path, file, options)
    expect([error, data]).toEqual([
      null,
      { id: expect.any(String), path, fullPath: `product-images/${path}` },
    ])
  }
  const { publicUrl } = bucket.getPublicUrl(path).data
  expect(publicUrl).toBe(url + publicMediaPath(path))
  const read = await fetch(publicUrl)
  expect([read.status, read.headers.get('content-type'), read.headers.get('cache-control')]).toEqual([
    200,
    'image/jpeg',
    'max-age=3600',
  ])
  const again = await bucket.upload(path, file)
  expect(again.error).toMatchObject({ statusCode: '409', message: 'The resource already exists' })
  expect((await bucket.update(path, jpeg, { contentType: 'image/jpeg' })).error).toBeNull()
  expect((await bucket.upload('v/turn.webm', aWebm(), { contentType: 'video/webm' })).error).toBeNull()
  expect((await bucket.exists(path)).data).toBe(true)
  expect((await bucket.exists('images/products/none.jpg')).data).toBe(false)
  expect((await bucket.info(path)).data).toMatchObject({ name: path, contentType: 'image/jpeg' })
  expect((await bucket.list('images/products')).data?.map(({ name }) => name)).toEqual(['dragon.jpg'])
  expect((await bucket.download(path)).data?.type).toBe('image/jpeg')
  expect((await bucket.remove([path])).data?.map(({ name }) => name)).toEqual([path])
  expect((await fetch(publicUrl)).status).toBe(400)
})

it('the official client gets an error that says why a file was refused, or that the right to upload is missing', async () => {
  const app = await buildTestApp()
  const { bucket } = await aStorageClient(app, 'staff')
  const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' })
  expect((await bucket.upload('a.jpg', svg, { upsert: true })).error).toMatchObject({
    statusCode: '422',
    message: 'This file is not a picture, although its name says so.',
  })
  const viewer = await aStorageClient(app, 'viewer')
  expect((await viewer.bucket.upload('a.jpg', svg, { upsert: true })).error).toMatchObject({
    status: 403,
    statusCode: '403',
    message: "You don't have permission to do this.",
  })
})
