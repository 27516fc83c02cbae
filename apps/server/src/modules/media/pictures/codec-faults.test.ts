import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import sharp from 'sharp'
import { expect, it, onTestFinished } from 'vitest'
import { offsetOf, tusCalls } from '../../../../test/storage/resumable-upload.ts'
import { read, sendForm } from '../../../../test/storage/media-upload.ts'
import { aPicture } from '../../../../test/support/library/pictures.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'

/** Makes the codec fail before it decodes anything. Returns a function that removes the fault. */
function failCodec(fault: Error): () => void {
  const { metadata } = sharp.prototype
  sharp.prototype.metadata = () => Promise.reject(fault)
  const mend = () => {
    sharp.prototype.metadata = metadata
  }
  onTestFinished(mend)
  return mend
}

const FAULTS = {
  EMFILE: Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', errno: -24 }),
  'a failed call of the codec': new Error('/tmp/a: unable to open\nunix error: Too many open files'),
  'a timeout': new Error('timeout: 42% complete'),
}

it.each(Object.entries(FAULTS))(
  '%s while a picture is decoded causes a 503 and keeps the uploaded bytes',
  async (_, fault) => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const calls = tusCalls(app, staff)
    const jpeg = await aPicture({ width: 30, height: 20 })
    const place = { bucketName: MEDIA_BUCKET, objectName: 'a.jpg' }
    const url = String((await calls.create(jpeg.length, place)).headers.location)
    const mend = failCodec(fault)
    const failed = await calls.write(url, 0, jpeg)
    const whole = await sendForm(app, staff, { path: 'b.jpg', bytes: jpeg })
    mend()
    expect([failed.statusCode, Number(failed.headers['retry-after'])]).toEqual([503, 10])
    expect(whole.statusCode).toBe(503)
    expect(await offsetOf(calls, url)).toBe(jpeg.length - 1)
    expect((await calls.write(url, jpeg.length - 1, jpeg.subarray(-1))).statusCode).toBe(204)
    expect((await read(app, 'a.jpg')).statusCode).toBe(200)
  },
)

it('a resumable upload of a damaged picture is refused and cannot be continued', async () => {
  const app = await buildTestApp()
  const calls = tusCalls(app, await app.as('staff'))
  const jpeg = (await aPicture({ width: 300, height: 200 })).subarray(0, 400)
  const place = { bucketName: MEDIA_BUCKET, objectName: 'a.jpg' }
  const url = String((await calls.create(jpeg.length, place)).headers.location)
  expect((await calls.write(url, 0, jpeg)).statusCode).toBe(422)
  expect(await offsetOf(calls, url)).toBe(404)
})
