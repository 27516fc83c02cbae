import { TRASH_DAYS } from '@pegasus/contracts/fields'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Role } from '@pegasus/contracts/roles'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { multipart } from '../../../../test/support/library/model-upload.ts'
import { aPicture } from '../../../../test/support/library/pictures.ts'
import { aPrinter } from '../../../../test/support/stock-factories.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import { createPrinterPhotos } from './printer-photos.service.ts'

const pathOf = (id: string) => `/api/printers/${id}/photo`

const send = async (app: TestApp, id: string, bytes: Uint8Array | null, as: Role = 'staff') => {
  const form = await multipart({}, bytes ? [{ name: 'photo.jpg', bytes }] : [])
  return app.http.inject({
    method: 'POST',
    url: pathOf(id),
    headers: { ...(await app.as(as)), ...form.headers },
    payload: form.payload,
  })
}

const read = async (app: TestApp, path: string, headers: object = {}) =>
  app.http.inject({ url: path, headers: { ...headers } })

const filesOf = async (app: TestApp): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of app.storage.list('printer-photos/')) keys.push(key)
  return keys
}

describe('photos of printers', () => {
  it('a photo of a printer is stored smaller and without hidden data, and can be replaced and removed', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aPrinter(app, 'MK4')
    const large = await sharp(await aPicture({ width: 3000, height: 1500 }))
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .jpeg()
      .toBuffer()
    const first = (await send(app, id, large)).json<Printer>()
    const photo = await read(app, String(first.photo_path))
    expect([photo.statusCode, photo.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(photo.headers['cache-control']).toContain('max-age=86400')
    const { width, height, exif } = await sharp(photo.rawPayload).metadata()
    expect([width, height, exif]).toEqual([1280, 640, undefined])

    const second = (await send(app, id, await aPicture({ width: 40, height: 30 }, 'png'))).json<Printer>()
    expect(second.photo_path).not.toBe(first.photo_path)
    // This address is signed for the printer instead of one photo. So it shows the current photo, and caches must not
    // keep it.
    expect((await read(app, String(first.photo_path))).headers['cache-control']).toBe('private, no-cache')
    const listed = await app.http.inject({ url: '/api/printers', headers: staff })
    expect(listed.json<Printer[]>()[0]?.photo_path).toBe(second.photo_path)

    for (let i = 0; i < 2; i += 1) {
      const removed = await app.http.inject({ method: 'DELETE', url: pathOf(id), headers: staff })
      expect([removed.statusCode, removed.json<Printer>().photo_path]).toEqual([200, null])
    }
    expect((await read(app, pathOf(id), staff)).statusCode).toBe(404)
    expect((await auditOf(app, 'printer')).map(({ action }) => action)).toEqual([
      'printer.photo_added',
      'printer.photo_added',
      'printer.photo_removed',
    ])
  })

  it('an upload of a bad or too large photo is refused, and the printer keeps its previous photo', async () => {
    const app = await buildTestApp()
    const id = await aPrinter(app, 'MK4')
    const jpeg = await aPicture({ width: 300, height: 200 })
    const { photo_path: kept } = (await send(app, id, jpeg)).json<Printer>()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for (const bytes of [svg, Buffer.alloc(0), jpeg.subarray(0, 400), null])
      expect((await send(app, id, bytes)).statusCode).toBe(422)
    expect((await send(app, id, Buffer.alloc(21 * 1024 * 1024, jpeg))).statusCode).toBe(413)
    const printer = await app.http.inject({ url: `/api/printers/${id}`, headers: await app.as('viewer') })
    expect(printer.json<Printer>().photo_path).toBe(kept)
    expect(await filesOf(app)).toHaveLength(1)
  })

  it('every signed-in person can see the photo of a printer, but only staff can change it', async () => {
    const app = await buildTestApp()
    const id = await aPrinter(app, 'MK4')
    const jpeg = await aPicture({ width: 30, height: 20 })
    expect((await send(app, id, jpeg, 'viewer')).statusCode).toBe(403)
    expect((await send(app, crypto.randomUUID(), jpeg)).statusCode).toBe(404)
    expect((await send(app, id, jpeg)).statusCode).toBe(200)
    const viewer = await app.as('viewer')
    const removal = await app.http.inject({ method: 'DELETE', url: pathOf(id), headers: viewer })
    expect(removal.statusCode).toBe(403)
    expect((await read(app, pathOf(id), viewer)).statusCode).toBe(200)
    expect((await read(app, pathOf(id))).statusCode).toBe(401)
  })

  it('the cleanup removes photos that no printer uses, and keeps those of printers in the trash for 30 days', async () => {
    const app = await buildTestApp()
    const id = await aPrinter(app, 'MK4')
    const photos = createPrinterPhotos(app)
    await send(app, id, await aPicture({ width: 30, height: 20 }))
    await send(app, id, await aPicture({ width: 40, height: 20 }))
    expect(await photos.removeOrphans()).toBe(0)
    app.clock.advance(2 * HOUR_MS)
    expect(await photos.removeOrphans()).toBe(1)
    const staff = await app.as('staff')
    await app.http.inject({ method: 'DELETE', url: `/api/printers/${id}`, headers: staff })
    expect(await photos.removeOrphans()).toBe(0)
    app.clock.advance((TRASH_DAYS + 1) * DAY_MS)
    expect(await photos.removeOrphans()).toBe(1)
    expect(await filesOf(app)).toEqual([])
  })
})
