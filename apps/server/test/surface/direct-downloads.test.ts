import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it } from 'vitest'
import { prusaGcode } from '../../../../packages/mesh/test/gcode-tools.ts'
import { aStorageClient } from '../storage/storage-client.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { upload } from '../support/library/model-upload.ts'
import { uploadSlices, uploadedSlices } from '../support/library/slice-upload.ts'

const PAGE = '<html><script>alert(1)</script></html>'

/** File names that try to end the header, to add another one, or to name another file. */
const NAMES = [
  'a"b',
  "a'b",
  'a\\"b',
  'a\\',
  'a\r\nX-Injected: 1',
  'a\r\n\r\n<script>alert(1)</script>',
  'a\nSet-Cookie: injected=1',
  'a\rX-Injected: 1',
  'a%0d%0aX-Injected: 1',
  'a\u0000b',
  'a\u2028X-Injected: 1',
  'a; filename=evil.html',
  'a"; filename="evil.html',
  "a'; filename*=UTF-8''evil.html; x='",
  "UTF-8''evil.html",
  'evil.html',
  'evil.svg',
  'evil.js',
  'ÿ € 😀',
  'a\u202elmth.b',
  '<img src=x onerror=alert(1)>',
  '%22%5c',
  '=?utf-8?q?evil.html?=',
  'x'.repeat(300),
]

/** Names that an uploaded file keeps unchanged. */
const HARMLESS = ["a'b", 'a; filename=evil.html', 'evil.html', 'evil.svg', 'ÿ € 😀', '=?utf-8?q?evil.html?=']

/** The header according to RFC 6266, with a quoted text and an extended value according to RFC 8187. */
const DISPOSITION =
  /^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})+)$/

it('T74 an uploaded file with markup, requested directly under a hostile name, is saved and never shown', {
  timeout: 300_000,
}, async () => {
  const app = await buildTestApp()
  const { client, url } = await aStorageClient(app, 'admin')
  const staff = await app.as('staff')
  const { sql } = app.database
  let injected = 0
  let shown = 0
  let requests = 0
  /**
   * Opens an address as a browser navigates to it, and counts headers that were injected and files that would be shown.
   * If `name` is given, the header must contain it.
   */
  const open = async (address: string, type: string, name?: string) => {
    const headers = {
      ...staff,
      accept: 'text/html',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
    }
    const answer = await fetch(address, { headers })
    expect(answer.status, address).toBe(200)
    await answer.arrayBuffer()
    requests += 1
    const disposition = answer.headers.get('content-disposition') ?? ''
    const isInert =
      answer.headers.get('x-content-type-options') === 'nosniff' &&
      answer.headers.get('content-type') === type
    const [, encoded] = DISPOSITION.exec(disposition) ?? []
    if (encoded === undefined) injected += 1
    if (name !== undefined) expect(decodeURIComponent(encoded ?? '')).toBe(name)
    if (answer.headers.has('x-injected') || answer.headers.has('set-cookie')) injected += 1
    if (!isInert || !disposition.startsWith('attachment;')) shown += 1
  }

  const cube = writeBinaryStl(createCube(20), PAGE)
  const gcode = Buffer.from(`; ${PAGE}\n${prusaGcode()}`)
  expect(Buffer.from(cube).includes('<script>')).toBe(true)
  await client.createBucket('open', { public: true })
  await client.from('open').upload('page.txt', PAGE, { contentType: 'text/plain' })
  const { publicUrl } = client.from('open').getPublicUrl('page.txt').data
  for (const [index, name] of NAMES.entries()) {
    const model = await upload(app, staff, { name: `${name}.stl`, bytes: cube })
    expect(model.statusCode, name).toBe(201)
    const { id } = model.json<Model>()
    const named = (ending: string) => (HARMLESS.includes(name) ? `${name}${ending}` : undefined)
    await open(`${url}/api/stl-files/${id}/file`, 'model/stl', named('.stl'))
    // Equal files would be stored only once.
    const bytes = Buffer.concat([gcode, Buffer.from(`; ${index}\n`)])
    const [slice] = await uploadedSlices(app, staff, id, { name: `${name}.gcode`, bytes })
    const sliceAddress = `${url}/api/stl-files/${id}/slices/${slice?.id}/file`
    await open(sliceAddress, 'text/x.gcode', named('.gcode'))
    // Uploads clean these names, so write the original names to the database. The headers must be safe even then.
    if (!name.includes('\0')) {
      const stored = name.slice(0, 255)
      await sql`update stl_versions set file_name = ${stored} where stl_file_id = ${id}`
      await sql`update sliced_files set file_name = ${stored} where id = ${slice?.id ?? null}`
      await open(`${url}/api/stl-files/${id}/file`, 'model/stl', stored)
      await open(sliceAddress, 'text/x.gcode', stored)
    }
    await open(`${publicUrl}?download=${encodeURIComponent(name)}`, 'text/plain')
  }
  console.info(`T74 headers injected ${injected}, files shown ${shown} of ${requests}`)
  expect([injected, shown]).toEqual([0, 0])

  // HTML pages, SVG pictures with a script, and scripts are refused under every name, as models and as sliced files.
  const { id } = (await upload(app, staff, { name: 'cube.stl', bytes: cube })).json<Model>()
  const contents = [PAGE, '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'alert(1)']
  let stored = 0
  for (const content of contents)
    for (const ending of ['html', 'svg', 'js', 'stl', 'obj', '3mf', 'gcode']) {
      const file = { name: `a.${ending}`, bytes: Buffer.from(content) }
      const answers = [await upload(app, staff, file), await uploadSlices(app, staff, id, [file])]
      for (const { statusCode } of answers) if (statusCode < 400 || statusCode >= 500) stored += 1
    }
  console.info(`T74 pages and scripts stored as a model or a slice ${stored} of ${contents.length * 14}`)
  expect(stored).toBe(0)
})
