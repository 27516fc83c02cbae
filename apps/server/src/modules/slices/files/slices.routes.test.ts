import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Slice, UploadedSlice } from '@pegasus/contracts/slices/slices'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { REFUSED_SLICES } from '../../../../../../packages/mesh/test/gcode-refusals.ts'
import {
  bgcodeFile,
  gcode3mf,
  prusaGcode,
  thumbnailComments,
} from '../../../../../../packages/mesh/test/gcode-tools.ts'
import { aKey, auditOf, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { addVersion } from '../../../../test/support/library/model-upload.ts'
import { aPicture } from '../../../../test/support/library/pictures.ts'
import { listSlices, uploadedSlices, uploadSlices } from '../../../../test/support/library/slice-upload.ts'
import { anItem } from '../../../../test/support/stock-factories.ts'

const GCODE = Buffer.from(prusaGcode())
const SOME_ID = '01890000-0000-7000-8000-000000000000'

/** Lists the names of all stored objects and unfinished uploads. */
async function objectsOf(app: TestApp): Promise<string[]> {
  const entries = await readdir(join(app.dataDir, 'objects'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

const addressOf = ({ stl_file_id, id }: Slice, rest = '') =>
  `/api/stl-files/${stl_file_id}/slices/${id}${rest}`

const change = (
  app: TestApp,
  headers: Record<string, string>,
  slice: Slice,
  payload: object,
  revision = slice.revision,
) =>
  app.http.inject({
    method: 'PUT',
    url: addressOf(slice),
    headers: { ...headers, 'if-match': `"${revision}"` },
    payload,
  })

describe('sliced files', () => {
  it('an uploaded sliced file is shown with its print data and its picture, and downloads return the same bytes', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    const picture = await aPicture({ width: 220, height: 124 }, 'png')
    const bytes = Buffer.from(thumbnailComments(picture) + prusaGcode())
    const [slice] = await uploadedSlices(app, staff, model, { name: 'dragon.gcode', bytes }, { pieces: '4' })
    expect(slice).toMatchObject({
      stl_file_id: model,
      stl_version: 1,
      file_name: 'dragon.gcode',
      file_size: bytes.length,
      format: 'gcode',
      plate: 1,
      printer_model: 'MK4S',
      nozzle_mm: 0.4,
      bed_mm: [250, 210, 220],
      layer_height_mm: 0.2,
      material: 'PETG',
      tools: [{ tool: 0, material: 'PETG', color_hex: '#ff8000', grams: 18.32, metres: 5.996 }],
      grams: 18.32,
      metres: 5.996,
      minutes: 77,
      pieces: 4,
      slicer: 'PrusaSlicer 2.7.1',
      is_outdated: false,
      notes: [],
    })
    const shown = await app.http.inject({ url: slice!.thumbnail_path! })
    expect(shown.headers['content-type']).toBe('image/webp')
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ width: 220, height: 124 })
    const file = await app.http.inject({ url: addressOf(slice!, '/file'), headers: await app.as('viewer') })
    expect(file.rawPayload.equals(bytes)).toBe(true)
    expect(file.headers['content-disposition']).toContain('dragon.gcode')
    expect(await listSlices(app, await app.as('viewer'), model)).toEqual([slice])
    expect(await auditOf(app, 'slice')).toMatchObject([{ action: 'slice.added', entity_id: slice!.id }])
  })

  it('a sliced file whose embedded picture is not what it claims to be is stored without that picture', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    const picture = await aPicture({ width: 220, height: 124 }, 'png')
    /** A picture of a few kilobytes that claims 3.6 billion pixels, with a correct checksum. */
    const huge = Buffer.from(picture)
    huge.writeUInt32BE(60_000, 16)
    huge.writeUInt32BE(60_000, 20)
    huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29)
    const lies: [name: string, bytes: Buffer, tag?: string][] = [
      ['huge.gcode', huge],
      ['cut.gcode', picture.subarray(0, 200)],
      ['page.gcode', Buffer.from('<!doctype html><script>alert(1)</script>')],
      [
        'drawing.gcode',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>'),
      ],
      ['photo.gcode', picture, 'thumbnail_JPG'],
    ]
    const shown: [string, boolean][] = []
    for (const [name, bytes, tag] of lies) {
      const file = Buffer.from(thumbnailComments(bytes, '220x124', tag) + prusaGcode())
      const [slice] = await uploadedSlices(app, staff, model, { name, bytes: file })
      expect(slice).toMatchObject({ file_name: name, grams: 18.32 })
      shown.push([name, slice?.thumbnail_path !== null])
    }
    // A PNG that is declared as a JPEG is still a harmless picture, so it is shown.
    expect(shown).toEqual(lies.map(([name]) => [name, name === 'photo.gcode']))
  })

  it('an upload form with several files adds one slice for each plate, and adds nothing when it is sent again', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    const files = [
      { name: 'two plates.3mf', bytes: gcode3mf() },
      { name: 'binary', bytes: bgcodeFile() },
    ]
    const first = await uploadSlices(app, staff, model, files)
    const { slices } = first.json<UploadedSlice>()
    expect([
      first.statusCode,
      slices.map(({ file_name, plate, pieces, format }) => [file_name, plate, pieces, format]),
    ]).toEqual([
      201,
      [
        ['two plates.gcode.3mf', 1, 2, 'gcode.3mf'],
        ['two plates.gcode.3mf', 2, 2, 'gcode.3mf'],
        ['binary.bgcode', 1, 3, 'bgcode'],
      ],
    ])
    const again = await uploadSlices(app, staff, model, files)
    expect([again.statusCode, again.json<UploadedSlice>().slices]).toEqual([200, slices])
    // Pictures of one pixel are icons, so they are not stored.
    expect(await objectsOf(app)).toHaveLength(2)
  })

  it("an agent's API key with the scope print-jobs can upload, list, download and delete slices", async () => {
    const app = await buildTestApp()
    const model = await aModel(app)
    const agent = keyHeader((await aKey(app, { role: 'staff', scope: ['print-jobs'] })).key)
    const [slice] = await uploadedSlices(app, agent, model, { name: 'a.gcode', bytes: GCODE })
    expect(slice?.uploaded_by.kind).toBe('api_key')
    const unknown = await uploadSlices(app, agent, model, [{ name: 'b.gcode', bytes: GCODE }], {
      copies: '4',
    })
    const detail =
      'A form with sliced files can only have the fields file, pieces, stl_version and needs_all_plates.'
    expect([unknown.statusCode, unknown.json()]).toMatchObject([422, { detail }])
    expect(await listSlices(app, agent, model)).toHaveLength(1)
    const file = await app.http.inject({ url: addressOf(slice!, '/file'), headers: agent })
    expect(file.rawPayload.equals(GCODE)).toBe(true)
    expect(
      (await app.http.inject({ method: 'DELETE', url: addressOf(slice!), headers: agent })).statusCode,
    ).toBe(204)
    const other = keyHeader((await aKey(app, { role: 'staff', scope: ['integration'] })).key)
    expect((await uploadSlices(app, other, model, [{ name: 'a.gcode', bytes: GCODE }])).statusCode).toBe(403)
  })

  it('a new version of the model makes the slices of the previous version outdated', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    await uploadedSlices(app, staff, model, { name: 'old.gcode', bytes: GCODE })
    await addVersion(app, staff, model, { bytes: writeBinaryStl(createCube(20)) })
    app.clock.advance(1000)
    const [late] = await uploadedSlices(
      app,
      staff,
      model,
      { name: 'late.gcode', bytes: bgcodeFile() },
      { stl_version: '1' },
    )
    app.clock.advance(1000)
    const [fresh] = await uploadedSlices(app, staff, model, { name: 'new.gcode', bytes: GCODE })
    expect([late?.is_outdated, fresh?.is_outdated, fresh?.stl_version]).toEqual([true, false, 2])
    expect((await listSlices(app, staff, model)).map(({ is_outdated }) => is_outdated)).toEqual([
      false,
      true,
      true,
    ])
  })

  it('a file that does not state how many pieces it prints gets the pieces per print of the items of its model', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    await anItem(app, { stl_file_id: model, pieces_per_print: 4 })
    const upload = async (name: string) => {
      const [slice] = await uploadedSlices(app, staff, model, {
        name,
        bytes: Buffer.from(`${prusaGcode()}; ${name}\n`),
      })
      return slice?.pieces
    }
    expect(await upload('four.gcode')).toBe(4)
    // Two items of the model have different numbers of pieces, so it is unknown which of them the file prints.
    await anItem(app, { stl_file_id: model, pieces_per_print: 2 })
    expect(await upload('unknown.gcode')).toBe(1)
  })

  it('a person can correct the pieces, printer, nozzle and material of a slice, unless the revision is outdated', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    const [slice] = await uploadedSlices(app, staff, model, {
      name: 'a.gcode',
      bytes: Buffer.from('G28\nG1 X1\n'),
    })
    expect(slice?.notes).toHaveLength(4)
    expect(slice).toMatchObject({
      material: null,
      notes: expect.arrayContaining([
        'The file does not name its material. Enter the material, so that jobs can use the file.',
      ]),
    })
    const changed = await change(app, staff, slice!, {
      pieces: 6,
      printer_model: ' Ender 3 ',
      nozzle_mm: 0.6,
      material: ' PETG ',
    })
    expect(changed.json()).toMatchObject({
      pieces: 6,
      printer_model: 'Ender 3',
      nozzle_mm: 0.6,
      material: 'PETG',
      tools: [{ tool: 0, material: 'PETG' }],
      revision: 2,
    })
    expect((await change(app, staff, slice!, { pieces: 7 })).statusCode).toBe(412)
    expect((await auditOf(app, 'slice')).at(-1)).toMatchObject({
      action: 'slice.updated',
      before: { pieces: 1, printer_model: null, material: null },
      after: { pieces: 6, printer_model: 'Ender 3', material: 'PETG' },
    })
  })

  it('a deleted slice can be restored, unless the same file was uploaded again', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    const file = { name: 'a.gcode', bytes: GCODE }
    const [slice] = await uploadedSlices(app, staff, model, file)
    const remove = () => app.http.inject({ method: 'DELETE', url: addressOf(slice!), headers: staff })
    const restore = () =>
      app.http.inject({ method: 'POST', url: addressOf(slice!, '/restore'), headers: staff })
    expect((await remove()).statusCode).toBe(204)
    expect((await remove()).statusCode).toBe(404)
    expect(await listSlices(app, staff, model)).toEqual([])
    expect(await listSlices(app, staff, model, '?deleted=true')).toMatchObject([
      { id: slice!.id, thumbnail_path: null },
    ])
    expect((await restore()).json()).toMatchObject({ id: slice!.id, deleted_at: null })
    await remove()
    await uploadedSlices(app, staff, model, file)
    expect([(await restore()).statusCode, (await restore()).json()]).toMatchObject([
      409,
      { code: 'slice_exists' },
    ])
  })

  it('the purge of the trash removes the bytes of a sliced file only if no print and no other row uses them', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [model, other] = [await aModel(app), await aModel(app)]
    const [gone] = await uploadedSlices(app, staff, model, { name: 'a.gcode', bytes: GCODE })
    const [shared] = await uploadedSlices(app, staff, model, { name: 'b.bgcode', bytes: bgcodeFile() })
    await uploadedSlices(app, staff, other, { name: 'b.bgcode', bytes: bgcodeFile() })
    const [printed] = await uploadedSlices(app, staff, model, {
      name: 'c.gcode',
      bytes: Buffer.from('G28\nG1 X3\n'),
    })
    await app.http.inject({
      method: 'POST',
      url: '/api/print-queue',
      headers: staff,
      payload: { stl_file_id: other, quantity: 1 },
    })
    await app.database.sql`update print_jobs set slice_id = ${printed!.id}`
    for (const slice of [gone!, shared!, printed!])
      await app.http.inject({ method: 'DELETE', url: addressOf(slice), headers: staff })
    app.clock.advance(31 * DAY_MS)
    await app.cleanup.run()
    const rows = await app.database.sql<
      { id: string }[]
    >`select id from sliced_files where stl_file_id = ${model}`
    expect(rows).toEqual([{ id: printed!.id }])
    for (const { sha256 } of [printed!, shared!])
      expect(await app.storage.stat(`slices/${sha256}`)).not.toBeNull()
    expect(await objectsOf(app)).toHaveLength(2)
  })

  it('bytes of an upload that was interrupted by a crash are removed an hour later', async () => {
    const app = await buildTestApp()
    const key = `slices/${'ab'.repeat(32)}`
    const pending = await app.storage.begin()
    await pending.write(GCODE)
    await pending.commit(key)
    await app.cleanup.run()
    expect(await app.storage.stat(key)).not.toBeNull()
    app.clock.advance(2 * HOUR_MS)
    await app.cleanup.run()
    expect(await app.storage.stat(key)).toBeNull()
  })

  it('purging a model also removes its slices', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    await uploadedSlices(app, staff, model, { name: 'a.gcode', bytes: GCODE })
    await app.http.inject({ method: 'DELETE', url: `/api/stl-files/${model}`, headers: staff })
    app.clock.advance(31 * DAY_MS)
    await app.cleanup.run()
    expect(await app.database.sql`select 1 from sliced_files`).toEqual([])
    expect(await objectsOf(app)).toEqual([])
  })
})

describe('refused uploads of sliced files', () => {
  it('an upload of a bad sliced file is refused with the reason, and stores nothing', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    const wrong: string[] = []
    for (const { name, bytes, says } of REFUSED_SLICES) {
      const response = await uploadSlices(app, staff, model, [{ name, bytes }])
      const { detail } = response.json<{ detail: string }>()
      if (response.statusCode !== 422 || !says.test(detail))
        wrong.push(`${name}: ${response.statusCode} ${detail}`)
    }
    expect(wrong).toEqual([])
    expect(await objectsOf(app)).toEqual([])
    expect(await listSlices(app, staff, model)).toEqual([])
  })

  it('one bad sliced file makes the whole form fail, and the message names that file', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    const files = [
      { name: 'good.gcode', bytes: GCODE },
      { name: 'bad.gcode', bytes: Buffer.from('nothing of use') },
    ]
    const response = await uploadSlices(app, staff, model, files)
    expect([response.statusCode, response.json()]).toMatchObject([
      422,
      { detail: expect.stringMatching(/^bad\.gcode: /) },
    ])
    expect(await objectsOf(app)).toEqual([])
  })

  it('a form of sliced files is refused without a file, with bad fields, or for an unknown model or version', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const model = await aModel(app)
    const file = { name: 'a.gcode', bytes: GCODE }
    const cases = [
      [model, [], {}, 422, /select a sliced file/],
      [model, [{ ...file, field: 'other' }], {}, 422, /select a sliced file/],
      [model, [file], { pieces: '0' }, 422, /whole number/],
      [model, [file], { pieces: 'four' }, 422, /whole number/],
      [model, [file], { stl_version: '9' }, 404, /version/],
      [SOME_ID, [file], {}, 404, /not in the library/],
    ] as const
    const wrong: string[] = []
    for (const [id, files, fields, status, says] of cases) {
      const response = await uploadSlices(app, staff, id, files, fields)
      if (response.statusCode !== status || !says.test(response.body))
        wrong.push(`${response.statusCode} ${response.body}`)
    }
    expect(wrong).toEqual([])
    expect(await objectsOf(app)).toEqual([])
  })

  it('a sliced file above the size limit is refused, and so are uploads and changes by viewers', async () => {
    const app = await buildTestApp({ variables: { UPLOAD_LIMIT: '1kb' } })
    const [staff, viewer] = [await app.as('staff'), await app.as('viewer')]
    const model = await aModel(app)
    const large = { name: 'a.gcode', bytes: Buffer.concat([GCODE, Buffer.alloc(2000, '\n')]) }
    expect((await uploadSlices(app, staff, model, [large])).statusCode).toBe(413)
    const [slice] = await uploadedSlices(app, staff, model, { name: 's.gcode', bytes: Buffer.from('G28\n') })
    expect((await uploadSlices(app, viewer, model, [{ name: 's.gcode', bytes: GCODE }])).statusCode).toBe(403)
    expect((await change(app, viewer, slice!, { pieces: 2 })).statusCode).toBe(403)
    expect(
      (await app.http.inject({ method: 'DELETE', url: addressOf(slice!), headers: viewer })).statusCode,
    ).toBe(403)
  })
})
