import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { measureMesh } from '../../../../../../../packages/mesh/test/measure-mesh.ts'
import { parseStl } from '@pegasus/mesh/stl/parse-stl'
import { createBracket, createCube, createSphere } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import {
  build3mf,
  relationship,
  relationships,
  THUMBNAIL_TYPE,
} from '../../../../../../../packages/mesh/test/threemf-tools.ts'
import { buildTestApp, type TestApp } from '../../../../../test/support/build-test-app.ts'
import { analyzed, upload } from '../../../../../test/support/library/model-upload.ts'

type Headers = { authorization: string }

const CUBE_OBJ = [
  ...[0, 1].flatMap((z) => [`v 0 0 ${20 * z}`, `v 20 0 ${20 * z}`, `v 20 20 ${20 * z}`, `v 0 20 ${20 * z}`]),
  ...['4 3 2 1', '5 6 7 8', '1 2 6 5', '2 3 7 6', '3 4 8 7', '4 1 5 8'].map((face) => `f ${face}`),
].join('\n')

async function add(app: TestApp, staff: Headers, name: string, bytes: Uint8Array): Promise<Model> {
  const answer = await upload(app, staff, { name, bytes })
  expect(answer.statusCode, answer.body).toBe(201)
  return analyzed(app, staff, answer.json<Model>().id)
}

const get = (app: TestApp, headers: Headers, { id }: { id: string }, what: string) =>
  app.http.inject({ url: `/api/stl-files/${id}/${what}`, headers })

/** Builds a 3MF with this picture embedded. */
const withPicture = (picture: Uint8Array): Uint8Array =>
  build3mf({}, [
    { name: 'Metadata/thumbnail.png', data: picture, isStored: true },
    {
      name: '_rels/.rels',
      data: relationships(
        relationship('/3D/3dmodel.model') + relationship('/Metadata/thumbnail.png', THUMBNAIL_TYPE),
      ),
    },
  ])

const aPng = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .withExif({ IFD0: { Artist: 'somebody in particular' } })
    .png()
    .toBuffer()

/**
 * Returns the mean difference between red and green. Our own pictures are gray, so a red picture is the
 * embedded one.
 */
async function rednessOf(picture: Buffer): Promise<number> {
  const { channels } = await sharp(picture).flatten({ background: '#000' }).stats()
  return (channels[0]?.mean ?? 0) - (channels[1]?.mean ?? 0)
}

describe('pictures of valid models', () => {
  it.each([
    ['STL', 'cube.stl', () => writeBinaryStl(createCube(20))],
    ['OBJ', 'cube.obj', () => new TextEncoder().encode(CUBE_OBJ)],
    ['3MF', 'cube.3mf', () => build3mf()],
    // The same cube of 20 mm, with its size in inches.
    [
      '3MF in inches',
      'inch.3mf',
      () =>
        build3mf({
          attributes: 'unit="inch"',
          items: `<item objectid="1" transform="${[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0].map((value) => value / 25.4).join(' ')}"/>`,
        }),
    ],
  ])('the analysis measures, weighs and draws %s from both sides', async (_, name, bytes) => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await add(app, staff, name, bytes())
    expect(model).toMatchObject({
      analysis_status: 'done',
      triangles: 12,
      is_watertight: true,
      shells: 1,
      warnings: [],
    })
    expect(model.volume_mm3).toBeCloseTo(8000, 2)
    expect(model.bounding_box_mm?.size.map((side) => Number(side.toFixed(4)))).toEqual([20, 20, 20])
    expect(model.print_estimate?.source).toBe('geometry')
    // The plastic is 2,400 mm² of walls with a thickness of 0.9 mm and 15 % infill in the rest. This is 3.04 cm³ of PLA
    // at 1.24 g/cm³.
    expect(model.print_estimate?.weights[0]).toEqual({ material: 'PLA', grams: 3.8 })
    const [front, back] = await Promise.all(
      [model.thumbnail_path, model.second_thumbnail_path].map(async (path) =>
        app.http.inject({ url: path ?? '' }),
      ),
    )
    expect([front?.statusCode, back?.statusCode]).toEqual([200, 200])
    expect(await sharp(back?.rawPayload).metadata()).toMatchObject({
      format: 'webp',
      width: 480,
      height: 480,
    })
    const preview = await get(app, staff, model, 'preview')
    expect(preview.headers['content-type']).toBe('model/stl')
    const parsed = parseStl(preview.rawPayload)
    expect(parsed.ok && measureMesh(parsed.positions)).toMatchObject({ triangles: 12, isWatertight: true })
  })

  it('a large model has a small preview mesh of the same shape', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const sphere = createSphere(30, 360)
    const model = await add(app, staff, 'sphere.stl', writeBinaryStl(sphere))
    expect(model.triangles).toBeGreaterThan(100_000)
    const parsed = parseStl((await get(app, staff, model, 'preview')).rawPayload)
    if (!parsed.ok) throw new Error(parsed.message)
    const preview = measureMesh(parsed.positions)
    expect(preview.triangles).toBeLessThanOrEqual(60_000)
    expect(preview.triangles).toBeGreaterThan(5_000)
    expect(preview.volumeMm3 / (model.volume_mm3 ?? 0)).toBeCloseTo(1, 1)
  })

  it('the turntable of a model is drawn on the first request, and only once for all models with the same bytes', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bytes = writeBinaryStl(createBracket())
    const model = await add(app, staff, 'bracket.stl', bytes)
    const first = await get(app, staff, model, 'turntable')
    expect([first.statusCode, first.json()]).toEqual([202, { status: 'drawing' }])
    await expect
      .poll(async () => (await get(app, staff, model, 'turntable')).statusCode, { timeout: 60_000 })
      .toBe(200)
    const drawn = await get(app, staff, model, 'turntable')
    expect(drawn.headers['content-type']).toBe('image/webp')
    expect(await sharp(drawn.rawPayload, { animated: true }).metadata()).toMatchObject({
      format: 'webp',
      pages: 24,
      pageHeight: 288,
      loop: 0,
    })
    const etag = String(drawn.headers.etag)
    const again = await app.http.inject({
      url: `/api/stl-files/${model.id}/turntable`,
      headers: { ...staff, 'if-none-match': etag },
    })
    expect(again.statusCode).toBe(304)
    const twin = await add(app, staff, 'the same.stl', bytes)
    expect((await get(app, staff, twin, 'turntable')).statusCode).toBe(200)
    expect(twin).toMatchObject({
      print_estimate: model.print_estimate,
      second_thumbnail_path: expect.stringContaining('angle=2'),
    })
    expect((await get(app, staff, twin, 'preview')).statusCode).toBe(200)
  }, 90_000)

  it.each([
    ['is no mesh', async (app: TestApp, key: string) => app.storage.put(key, new Blob(['junk']).stream())],
    ['is gone', async (app: TestApp, key: string) => app.storage.delete(key)],
  ])(
    'drawing a turntable fails if the preview mesh %s, and is tried again only after an hour',
    async (_, spoil) => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const bytes = writeBinaryStl(createBracket())
      const model = await add(app, staff, 'bracket.stl', bytes)
      const key = `previews/${model.sha256}-v1.stl`
      const whole = Buffer.from((await get(app, staff, model, 'preview')).rawPayload)
      await spoil(app, key)
      expect((await get(app, staff, model, 'turntable')).statusCode).toBe(202)
      await expect
        .poll(async () => (await get(app, staff, model, 'turntable')).json().code, { timeout: 60_000 })
        .toBe('turntable_failed')
      expect((await get(app, staff, model, 'turntable')).statusCode).toBe(404)
      // A second request within this hour does not start another drawing.
      const waiting = () => app.database.sql`
      select 1 from pgboss.job where name = 'stl-library.turntable' and state in ('created', 'retry', 'active')`
      await expect.poll(async () => (await waiting()).length, { timeout: 60_000 }).toBe(0)
      expect((await get(app, staff, model, 'turntable')).statusCode).toBe(404)
      expect(await waiting()).toHaveLength(0)
      await app.storage.put(key, new Blob([whole]).stream())
      app.clock.advance(60 * 60_000)
      const later = await app.as('staff')
      await expect
        .poll(async () => (await get(app, later, model, 'turntable')).statusCode, { timeout: 60_000 })
        .toBe(200)
    },
    90_000,
  )

  it("the picture embedded in a 3MF becomes the model's picture, without any other data of the 3MF", async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await add(app, staff, 'a.3mf', withPicture(await aPng(300, 200)))
    const { rawPayload } = await app.http.inject({ url: model.thumbnail_path ?? '' })
    expect(await rednessOf(rawPayload)).toBeGreaterThan(100)
    const { width, height, exif } = await sharp(rawPayload).metadata()
    expect([width, height, exif]).toEqual([480, 480, undefined])
  })

  it('the cleanup removes only the pictures that no model uses', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await add(app, staff, 'a.stl', writeBinaryStl(createCube(20)))
    const orphan = 'b'.repeat(64)
    for (const key of [
      `previews/${orphan}-v1.stl`,
      `turntables/${orphan}-v1.webp`,
      `thumbnails/${orphan}-v1-back.webp`,
    ])
      await app.storage.put(key, new Blob(['x']).stream())
    app.clock.advance(2 * 60 * 60_000)
    await app.cleanup.run()
    const files = await readdir(join(app.dataDir, 'objects'), { recursive: true })
    expect(files.filter((file) => file.includes(orphan))).toEqual([])
    const later = await app.as('staff')
    expect((await get(app, later, model, 'preview')).statusCode).toBe(200)
    expect((await get(app, later, model, 'thumbnail?angle=2')).statusCode).toBe(200)
  })
})

describe('invalid embedded pictures and requests', () => {
  it('T65 a model is drawn if its embedded picture is broken, a decompression bomb or an icon', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const png = await aPng(300, 200)
    // This picture has only a few bytes, but more pixels than any picture of a slicer.
    const huge = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#f00' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    const cases = {
      truncated: png.subarray(0, 60),
      noise: Buffer.concat([png.subarray(0, 33), Buffer.alloc(200, 7)]),
      huge,
      svg,
      icon: await aPng(64, 64),
    }
    const before = process.memoryUsage().rss
    const taken: string[] = []
    for (const [name, picture] of Object.entries(cases)) {
      const model = await add(app, staff, `${name}.3mf`, withPicture(picture))
      const drawn = await app.http.inject({ url: model.thumbnail_path ?? '' })
      if (drawn.statusCode !== 200 || (await rednessOf(drawn.rawPayload)) > 10) taken.push(name)
    }
    const grownMb = Math.round((process.memoryUsage().rss - before) / 1e6)
    console.info(
      `T65 pictures of models taken as they are ${taken.length} of ${Object.keys(cases).length}; ${grownMb} MB`,
    )
    expect(taken).toEqual([])
    expect(grownMb).toBeLessThan(400)
  })

  it('a request for a picture that does not exist yet returns 404', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const nowhere = { id: '018f6f10-0000-7000-8000-000000000000' }
    for (const what of ['preview', 'turntable'])
      expect((await get(app, staff, nowhere, what)).statusCode).toBe(404)
    const model = await add(app, staff, 'a.stl', writeBinaryStl(createCube(20)))
    await app.database.sql`update stl_versions set preview_key = null, analysis_status = 'pending'`
    expect((await get(app, staff, model, 'preview')).json()).toEqual({
      detail: 'This model has not been measured yet.',
    })
    expect((await get(app, staff, model, 'turntable')).json()).toEqual({
      detail: 'This model has no picture yet.',
    })
  })
})
