import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube, createGear, createVase } from '@pegasus/mesh/samples/shapes'
import { writeAsciiStl } from '@pegasus/mesh/samples/write-ascii-stl'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { analyzed, multipart, upload } from '../../../test/support/library/model-upload.ts'
import { HOUR_MS } from '../../platform/clock.ts'

const CUBE = writeBinaryStl(createCube(20))

const list = async (app: TestApp, headers: Record<string, string>, query = '') =>
  app.http.inject({ url: `/api/stl-files${query}`, headers })

const titles = async (app: TestApp, headers: Record<string, string>, query = ''): Promise<string[]> =>
  (await list(app, headers, query)).json<Model[]>().map((model) => model.title)

/** Lists every stored file, to show that a refused upload leaves nothing behind. */
const storedFiles = async (app: TestApp): Promise<string[]> => {
  const entries = await readdir(join(app.dataDir, 'objects'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe('POST /api/stl-files/upload', () => {
  describe('valid uploads', () => {
    it('POST /api/stl-files/upload stores a model with every field, then measures it and draws its picture', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const answer = await upload(
        app,
        staff,
        { name: 'cube.stl', bytes: CUBE },
        {
          title: ' Calibration cube ',
          description: 'Twenty millimeters',
          license_type: 'CC BY-SA',
          attribution_url: 'https://example.com/cube',
          tags: '["Calibration", "test  part", "calibration"]',
          print_material: 'PLA',
          print_notes: 'no supports',
          use_ai: 'false',
        },
      )
      expect(answer.statusCode).toBe(201)
      expect(answer.json()).toMatchObject({
        title: 'Calibration cube',
        tags: ['calibration', 'test part'],
        license_type: 'CC BY-SA',
        file_size: CUBE.byteLength,
        analysis_status: 'pending',
        duplicate_of: null,
        suggested_fields: [],
      })
      const model = await analyzed(app, staff, answer.json<Model>().id)
      expect(model).toMatchObject({
        analysis_status: 'done',
        triangles: 12,
        is_watertight: true,
        shells: 1,
        warnings: [],
        bounding_box_mm: { min: [-10, -10, 0], max: [10, 10, 20], size: [20, 20, 20] },
      })
      expect(model.volume_mm3).toBeCloseTo(8000, 3)
      expect(model.surface_area_mm2).toBeCloseTo(2400, 3)
    })

    it('binary and ASCII STL uploads are detected by their content under any file name, and a Cyrillic name is kept', async () => {
      const app = await buildTestApp()
      const staff = await app.as('employee')
      const name = 'голова утки (v2) – копия №1.stl'
      const ascii = await upload(app, staff, { name, bytes: writeAsciiStl(createGear()) })
      expect(ascii.json()).toMatchObject({
        file_name: name,
        title: 'голова утки (v2) – копия №1',
        encoding: 'ascii',
        suggested_fields: ['title', 'tags'],
      })
      const solid = await upload(app, staff, {
        name: 'x',
        bytes: writeBinaryStl(createCube(), 'solid but binary'),
      })
      expect(solid.json()).toMatchObject({ encoding: 'binary', title: 'x' })
    })

    it('an uploaded file is served byte for byte, whole or in part, under its own name', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const { id } = (
        await upload(app, staff, { name: 'half "quoted"\\ päth.stl', bytes: CUBE })
      ).json<Model>()
      const get = (headers: Record<string, string> = {}) =>
        app.http.inject({ url: `/api/stl-files/${id}/file`, headers: { ...staff, ...headers } })
      const whole = await get()
      expect(whole.rawPayload.equals(CUBE)).toBe(true)
      expect(whole.headers['content-type']).toBe('model/stl')
      expect(whole.headers['content-disposition']).toMatch(
        /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''/,
      )
      const part = await get({ range: 'bytes=80-83' })
      expect([part.statusCode, part.headers['content-range']]).toEqual([
        206,
        `bytes 80-83/${CUBE.byteLength}`,
      ])
      expect(part.rawPayload.readUInt32LE()).toBe(12)
      expect((await get({ range: `bytes=${CUBE.byteLength}-` })).statusCode).toBe(416)
      expect((await get({ 'if-none-match': String(whole.headers.etag) })).statusCode).toBe(304)
    })

    it("a model's picture is served with a bearer token, and at its signed address for 24 hours only", async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const { id } = (
        await upload(app, staff, { name: 'vase.stl', bytes: writeBinaryStl(createVase()) })
      ).json<Model>()
      const { thumbnail_path: path } = await analyzed(app, staff, id)
      const picture = await app.http.inject(path ?? '')
      expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp'])
      const image = await sharp(picture.rawPayload).metadata()
      expect(image).toMatchObject({ format: 'webp', width: 480, height: 480, hasAlpha: true })
      const plain = `/api/stl-files/${id}/thumbnail`
      expect((await app.http.inject({ url: plain, headers: staff })).statusCode).toBe(200)
      expect((await app.http.inject(plain)).statusCode).toBe(401)
      expect(
        (
          await app.http.inject(
            String(path).replace(/(?<=signature=)./, (letter) => (letter === 'A' ? 'B' : 'A')),
          )
        ).statusCode,
      ).toBe(401)
      expect((await app.http.inject(String(path).replace('/thumbnail', '/file'))).statusCode).toBe(401)
      app.clock.advance(24 * HOUR_MS)
      expect((await app.http.inject(path ?? '')).statusCode).toBe(200)
      app.clock.advance(HOUR_MS)
      expect((await app.http.inject(path ?? '')).statusCode).toBe(401)
    })

    it('the bytes of two identical uploads are stored once, and the new model refers to the original', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const first = (await upload(app, staff, { name: 'a.stl', bytes: CUBE })).json<Model>()
      await analyzed(app, staff, first.id)
      const before = await storedFiles(app)
      const second = await upload(app, staff, { name: 'b.stl', bytes: CUBE })
      expect(second.statusCode).toBe(201)
      expect(second.json()).toMatchObject({ duplicate_of: first.id, sha256: first.sha256 })
      await analyzed(app, staff, second.json<Model>().id)
      expect(await storedFiles(app)).toEqual(before)
    })

    it('uploads with the same Idempotency-Key are carried out once, even if they are sent in parallel', async () => {
      const app = await buildTestApp({ startsTasks: true })
      const staff = await app.as('staff')
      const send = (name: string) =>
        upload(app, staff, { name, bytes: CUBE }, {}, { 'idempotency-key': 'one' })
      const answers = await Promise.all(Array.from({ length: 5 }, () => send('a.stl')))
      expect(new Set(answers.map((answer) => answer.json<Model>().id)).size).toBe(1)
      expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201, 201, 201])
      expect((await send('b.stl')).statusCode).toBe(409)
      expect(await titles(app, staff)).toEqual(['a'])
      const long = await upload(
        app,
        staff,
        { name: 'a.stl', bytes: CUBE },
        {},
        { 'idempotency-key': 'k'.repeat(256) },
      )
      expect(long.statusCode).toBe(400)
    })
  })

  describe('invalid uploads', () => {
    it('an upload of a broken file is refused with a reason, before anything is stored', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const countPlusOne = CUBE.slice()
      new DataView(countPlusOne.buffer).setUint32(80, 13, true)
      const broken: [string, Uint8Array][] = [
        ['empty.stl', new Uint8Array()],
        ['short.stl', CUBE.slice(0, 83)],
        ['cut.stl', CUBE.slice(0, -17)],
        ['count.stl', countPlusOne],
        ['page.stl', Buffer.from('<!doctype html><script>alert(1)</script>'.repeat(20))],
        ['program.stl', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(400, 7)])],
        ['ascii-cut.stl', writeAsciiStl(createCube()).slice(0, 700)],
      ]
      for (const [name, bytes] of broken) {
        const answer = await upload(app, staff, { name, bytes })
        expect([name, answer.statusCode]).toEqual([name, 422])
        expect(answer.json().detail).toMatch(/^[A-Z].{15,}[.!]$/)
      }
      expect(await storedFiles(app)).toEqual([])
      expect(await titles(app, staff)).toEqual([])
    })

    it.each([
      [{ license_type: 'WTFPL' }, 'license_type'],
      [{ title: 'x'.repeat(201) }, 'title'],
      [{ tags: 'not json' }, 'tags'],
      [{ tags: '[1,2]' }, 'tags'],
      [{ tags: JSON.stringify(['x'.repeat(51)]) }, 'tags'],
      [{ attribution_url: 'javascript:alert(1)' }, 'attribution_url'],
      [{ use_ai: 'perhaps' }, 'use_ai'],
      [{ upload_method: 'ftp' }, 'upload_method'],
    ])(
      'an upload with the fields %j is refused with the name of the wrong field, and stores nothing',
      async (fields, path) => {
        const app = await buildTestApp()
        const staff = await app.as('staff')
        const answer = await upload(app, staff, { name: 'cube.stl', bytes: CUBE }, fields)
        expect([answer.statusCode, answer.json().errors[0].path]).toEqual([422, path])
        expect(await storedFiles(app)).toEqual([])
      },
    )

    it('POST /api/stl-files/upload requires a form with a file or a valid URL', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      expect((await upload(app, staff, null)).json().detail).toBe('Please select a file to upload.')
      expect((await upload(app, staff, null, { upload_method: 'url' })).json().detail).toBe(
        'Please enter a URL.',
      )
      const url = await upload(app, staff, null, { upload_method: 'url', url: 'https://example.com/a.stl' })
      expect(url.statusCode).toBe(422)
      const json = await app.http.inject({
        method: 'POST',
        url: '/api/stl-files/upload',
        headers: staff,
        payload: {},
      })
      expect(json.statusCode).toBe(415)
    })

    it('an upload above the size limit is stopped with 413, and stores nothing', async () => {
      const app = await buildTestApp({ variables: { UPLOAD_LIMIT: '600' } })
      const staff = await app.as('staff')
      expect((await upload(app, staff, { name: 'cube.stl', bytes: CUBE })).statusCode).toBe(413)
      expect(await storedFiles(app)).toEqual([])
    })

    it('an upload whose connection ends halfway stores nothing and delays no other request', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
      const { payload, headers } = await multipart({}, [
        { name: 'big.stl', bytes: writeBinaryStl(createVase(80, 400)) },
      ])
      const abort = new AbortController()
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(payload.subarray(0, payload.length / 2))
          setImmediate(() => abort.abort())
          return new Promise(() => {})
        },
      })
      const sent = fetch(`${address}/api/stl-files/upload`, {
        method: 'POST',
        headers: { ...staff, ...headers },
        body,
        duplex: 'half',
        signal: abort.signal,
      } as RequestInit)
      await expect(sent).rejects.toThrow()
      await expect.poll(() => storedFiles(app), { timeout: 5000 }).toEqual([])
      expect(await titles(app, staff)).toEqual([])
    })

    it('an upload treats a hostile file name as data, and writes no file outside the storage', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const names = [
        '../../../etc/passwd',
        'C:\\windows\\x.stl',
        '..',
        'a\u202elts.exe',
        ' ',
        'x'.repeat(400),
        'CON',
        '$(id).stl',
      ]
      for (const name of names) {
        const answer = await upload(app, staff, { name, bytes: CUBE })
        expect([name, answer.statusCode]).toEqual([name, 201])
        const { id, file_name: fileName } = answer.json<Model>()
        expect(fileName).not.toMatch(/[\\/\u202e]/)
        expect(fileName.length).toBeLessThanOrEqual(255)
        const file = await app.http.inject({ url: `/api/stl-files/${id}/file`, headers: staff })
        expect(file.statusCode).toBe(200)
      }
      const outside = (await storedFiles(app)).filter(
        (path) => !path.startsWith(join(app.dataDir, 'objects')),
      )
      expect(outside).toEqual([])
    })
  })

  describe('uploads without permission', () => {
    it('T8 uploads by viewers, without a token or with an invalid session are refused, and store nothing', async () => {
      const app = await buildTestApp()
      const viewer = await app.as('viewer')
      expect((await upload(app, viewer, { name: 'cube.stl', bytes: CUBE })).statusCode).toBe(403)
      expect((await upload(app, {}, { name: 'cube.stl', bytes: CUBE })).statusCode).toBe(401)
      expect(
        (await upload(app, { authorization: 'Bearer x' }, { name: 'c.stl', bytes: CUBE })).statusCode,
      ).toBe(401)
      expect(await storedFiles(app)).toEqual([])
    })
  })
})

describe('GET /api/stl-files', () => {
  it('GET /api/stl-files lists models newest first and in pages, with the total and the address of the next page', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    for (let i = 1; i <= 5; i += 1) {
      await upload(app, staff, { name: `${i}.stl`, bytes: CUBE })
      // Two of the models share a timestamp, so that the id decides their order.
      if (i !== 3) app.clock.advance(1)
    }
    const seen: string[] = []
    let next: string | undefined = '?limit=2'
    while (next !== undefined) {
      const page = await list(app, staff, next)
      expect(page.headers['x-total-count']).toBe('5')
      seen.push(...page.json<Model[]>().map((model) => model.title))
      next = /<\/api\/stl-files(\?[^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
    }
    expect(seen).toEqual(['5', '4', '3', '2', '1'])
  })

  it('GET /api/stl-files finds each search word literally in title or description, and filters by license and tags', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const add = (title: string, fields: Record<string, string> = {}) =>
      upload(app, staff, { name: 'm.stl', bytes: CUBE }, { title, ...fields })
    await add('Wall bracket', {
      description: 'for a shelf 100% strong',
      license_type: 'CC BY',
      tags: '["home","steel"]',
    })
    await add('Shelf pin', { license_type: 'CC0', tags: '["home"]' })
    await add('Gear_18', {})
    expect(await titles(app, staff, '?search=shelf')).toEqual(['Shelf pin', 'Wall bracket'])
    expect(await titles(app, staff, '?search=SHELF%20brack')).toEqual(['Wall bracket'])
    expect(await titles(app, staff, '?search=100%25')).toEqual(['Wall bracket'])
    expect(await titles(app, staff, '?search=%25')).toEqual(['Wall bracket'])
    expect(await titles(app, staff, '?search=_')).toEqual(['Gear_18'])
    expect(await titles(app, staff, `?search=${encodeURIComponent("' or 1=1 --")}`)).toEqual([])
    expect(await titles(app, staff, '?license_type=CC0')).toEqual(['Shelf pin'])
    expect(await titles(app, staff, '?tags=home,Steel')).toEqual(['Wall bracket'])
    expect((await list(app, staff, '?search=nothing')).headers['x-total-count']).toBe('0')
  })

  it.each([
    '?limit=1001',
    '?limit=0',
    '?limit=x',
    '?license_type=None',
    '?cursor=abc',
    '?cursor=WzEsMl0',
    `?search=${'x'.repeat(201)}`,
  ])('GET /api/stl-files returns 422 for %s', async (query) => {
    const app = await buildTestApp()
    expect((await list(app, await app.as('viewer'), query)).statusCode).toBe(422)
  })

  it('GET /api/stl-files returns 404 for missing models and for invalid ids', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    for (const id of ['01890000-0000-7000-8000-000000000000', 'abc', '1%20or%201'])
      for (const rest of ['', '/file', '/thumbnail'])
        expect(
          (await app.http.inject({ url: `/api/stl-files/${id}${rest}`, headers: viewer })).statusCode,
        ).toBe(404)
  })
})
