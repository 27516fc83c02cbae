import { readdir } from 'node:fs/promises'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { MISMATCHED } from '../../../../../../packages/mesh/test/mismatched-files.ts'
import { loadModels } from '../../../../../../packages/mesh/test/model-source.ts'
import { OBJ_CASES } from '../../../../../../packages/mesh/test/obj-cases.ts'
import { ACCEPTED, REFUSED } from '../../../../../../packages/mesh/test/stl-cases.ts'
import { HOSTILE_3MF } from '../../../../../../packages/mesh/test/threemf-cases.ts'
import { build3mf } from '../../../../../../packages/mesh/test/threemf-tools.ts'
import { buildZip } from '../../../../../../packages/mesh/test/zip-tools.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { importIn, keptBy, QUICK, uploadByUrl } from '../../../../test/support/library/model-imports.ts'
import { multipart, upload } from '../../../../test/support/library/model-upload.ts'
import { aRemote, serving } from '../../../../test/servers/remote-server.ts'

const CUBE = writeBinaryStl(createCube(20))
const NOTHING = { files: 0, models: 0, imports: 0 }

describe('detection of the format of a file', () => {
  it('OBJ and 3MF are detected from the bytes under any file name, and the metadata of a 3MF is read', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const obj = 'o part\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
    const asObj = await upload(app, staff, { name: 'pyramid.stl', bytes: Buffer.from(obj) })
    expect(asObj.json()).toMatchObject({
      format: 'obj',
      encoding: null,
      triangles: 4,
      file_name: 'pyramid.stl',
    })
    const metadata = '<metadata name="Designer">Ada</metadata><metadata name="Title">Cube</metadata>'
    const threemf = build3mf({ metadata })
    const as3mf = await upload(app, staff, { name: 'cube', bytes: threemf })
    expect([as3mf.statusCode, as3mf.json<Model>()]).toMatchObject([
      201,
      {
        format: '3mf',
        triangles: 12,
        has_slicer_command: false,
        metadata: { designer: 'Ada', title: 'Cube', license_terms: null },
      },
    ])
    const file = await app.http.inject({
      url: `/api/stl-files/${as3mf.json<Model>().id}/file`,
      headers: staff,
    })
    expect(file.rawPayload.equals(threemf)).toBe(true)
  })

  it('T68 a 3MF that would make a slicer run a program is flagged and served without the command', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const config = {
      name: 'Metadata/Slic3r_PE.config',
      data: '; post_process = /usr/bin/run-me\n; layer_height = 0.2\n',
    }
    const bytes = build3mf({}, [config])
    const model = (await upload(app, staff, { name: 'cube.3mf', bytes })).json<Model>()
    expect(model).toMatchObject({ has_slicer_command: true, file_size: bytes.byteLength })
    expect(model.warnings.map((warning) => warning.code)).toContain('slicer-command')
    const handed = await app.http.inject({ url: `/api/stl-files/${model.id}/file`, headers: staff })
    expect(handed.statusCode).toBe(200)
    expect(handed.rawPayload.includes('Slic3r_PE')).toBe(false)
    // The served file is itself a valid 3MF without a slicer command.
    const again = await upload(app, staff, { name: 'again.3mf', bytes: handed.rawPayload })
    expect(again.json()).toMatchObject({ format: '3mf', triangles: 12, has_slicer_command: false })
    // The store contains two files: the original, and its clean copy, which is also the file of the second
    // model.
    expect((await keptBy(app)).models).toBe(2)
  })

  it('T66 uploaded 3MF and OBJ models match their ground truth', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { models } = loadModels(/\.(3mf|obj)$/i)
    const wrong: string[] = []
    for (const { file, bytes, truth } of models) {
      const answer = await upload(app, staff, { name: file, bytes })
      const isRight = truth['expect']?.startsWith('reject')
        ? answer.statusCode === 422
        : answer.statusCode === 201 && answer.json<Model>().triangles === Number(truth['triangles'])
      if (!isRight) wrong.push(`${file}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
    }
    console.info(`T66 3MF and OBJ files answered rightly ${models.length - wrong.length} of ${models.length}`)
    expect(wrong).toEqual([])
  })
})

describe('uploads that are not valid models', () => {
  it('T67 T68 a file that is not a valid model is refused with a reason, and leaves nothing behind', {
    timeout: 600_000,
  }, async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const objs = OBJ_CASES.filter((each) => 'refused' in each)
    const cases = [
      ...REFUSED.map(({ name, bytes }) => ({ row: 'T67', name, bytes })),
      ...objs.map(({ name, text }) => ({ row: 'T67', name, bytes: Buffer.from(text) })),
      ...HOSTILE_3MF.map(({ name, bytes }) => ({ row: 'T68', name, bytes })),
    ]
    const wrong: string[] = []
    let slowestMs = 0
    for (const { row, name, bytes } of cases) {
      const startedAt = performance.now()
      const { statusCode, body } = await upload(app, staff, { name: 'model.3mf', bytes })
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      if (statusCode !== 422 || body.length < 40)
        wrong.push(`${row} ${name}: ${statusCode} ${body.slice(0, 100)}`)
    }
    const kept = await keptBy(app)
    console.info(
      `T67 T68 hostile models taken, or refused without a reason ${wrong.length} of ${cases.length}; residues ${kept.files + kept.models + kept.imports}; slowest ${Math.round(slowestMs)} ms`,
    )
    expect(wrong).toEqual([])
    expect(kept).toEqual(NOTHING)
    for (const { name, bytes, ...truth } of ACCEPTED) {
      const answer = await upload(app, staff, { name: 'model.bin', bytes })
      const expected = 'triangles' in truth ? truth.triangles : 0
      expect([name, answer.statusCode, answer.json<Model>().triangles]).toEqual([name, 201, expected])
    }
  })

  it('T64 T8 a file that is not a model is refused if it is uploaded, fetched by URL, or in an archive', {
    timeout: 600_000,
  }, async () => {
    let current: Uint8Array = CUBE
    const remote = await aRemote((request, response) => serving(current)(request, response))
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` },
      outbound: { limits: QUICK },
    })
    const staff = await app.as('staff')
    const taken: string[] = []
    for (const { name, bytes } of MISMATCHED) {
      const byFile = await upload(app, staff, { name: 'model.stl', bytes })
      if (byFile.statusCode !== 422) taken.push(`file ${name}: ${byFile.statusCode}`)
      current = bytes
      const begun = (await uploadByUrl(app, staff, `${remote.url}/model.stl`)).json<ModelImport>()
      const ended = await importIn(app, staff, begun.id, 'failed', 'done', 'choosing')
      if (ended.status !== 'failed') taken.push(`URL ${name}: ${ended.status}`)
    }
    const files = MISMATCHED.map(({ bytes }, index) => ({ name: `${index}.stl`, data: bytes }))
    const archive = { name: 'set.zip', bytes: buildZip([...files, { name: 'good.stl', data: CUBE }]) }
    const offered = (await upload(app, staff, archive)).json<ModelImport>()
    const choosable = (offered.entries ?? [])
      .filter((entry) => entry.format !== null)
      .map((entry) => entry.index)
    const choose = { method: 'POST' as const, url: `/api/stl-imports/${offered.id}/choose`, headers: staff }
    await app.http.inject({ ...choose, payload: { entries: choosable } })
    const done = await importIn(app, staff, offered.id, 'done')
    const stored = done.entries?.filter((entry) => entry.status === 'done').map((entry) => entry.name)
    taken.push(...(stored ?? []).filter((name) => name !== 'good.stl').map((name) => `archive ${name}`))
    console.info(`T64 files of another kind taken ${taken.length} of ${3 * MISMATCHED.length} on three ways`)
    expect(taken).toEqual([])
    expect((await keptBy(app)).models).toBe(1)
  })
})

const NAMES = [
  '../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'C:\\autoexec.bat',
  '\\\\host\\share\\x.stl',
  '%2e%2e%2f%2e%2e%2fx.stl',
  '%252e%252e%252fx.stl',
  '..%c0%af..%c0%afx.stl',
  'a\u0000.stl',
  '.',
  '..',
  '...',
  '',
  ' ',
  '.htaccess',
  '.env',
  'CON',
  'NUL.stl',
  'aux',
  'x.stl.',
  'x.stl ',
  'x.stl::$DATA',
  'a'.repeat(300),
  'ü'.repeat(200),
  'invoice\u202elts.exe',
  '\u2066x\u2069.stl',
  '\ufeffx.stl',
  'caf\u00e9.stl',
  'cafe\u0301.stl',
  'CAFÉ.STL',
  'X.STL',
  'x.stl',
  'a/b/c.stl',
  'a;b.stl',
  ';id;',
  '$(id).stl',
  '`id`.stl',
  '|id',
  '-o',
  '--help',
  'a\nb.stl',
  'a\r\nSet-Cookie: x.stl',
  '"quoted".stl',
  "o'clock.stl",
  '<img src=x onerror=alert(1)>.stl',
  '{{7*7}}.stl',
  '=cmd()',
  'x.php',
  'x.stl.html',
  '.pending',
  'objects',
  'models+x',
  '~root',
  'a?b*c.stl',
  'emoji 🦄.stl',
  '\ud800.stl',
  'file:///etc/passwd',
  '../.pending/x',
  'null',
  'undefined',
  '__proto__',
  'constructor',
]

describe('names and fields of an upload form', () => {
  it('T60 T62 names from uploads are treated as data, and no file on disk is named after them', {
    timeout: 600_000,
  }, async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const before = await readdir(app.dataDir)
    const wrong: string[] = []
    const ids: string[] = []
    for (const name of NAMES) {
      const answer = await upload(app, staff, { name, bytes: CUBE })
      if (answer.statusCode !== 201) wrong.push(`${name}: ${answer.statusCode}`)
      else ids.push(answer.json<Model>().id)
    }
    const entries = NAMES.map((name, index) => ({
      name: `${index}/${name.replace(/[^\w]/g, '') || 'x'}`,
      data: CUBE,
    }))
    const set = (
      await upload(app, staff, { name: '../../set.zip', bytes: buildZip(entries) })
    ).json<ModelImport>()
    const choose = { method: 'POST' as const, url: `/api/stl-imports/${set.id}/choose`, headers: staff }
    await app.http.inject({ ...choose, payload: { entries: entries.map((_, index) => index) } })
    const imported = await importIn(app, staff, set.id, 'done', 'failed')
    expect(imported.entries?.every((entry) => entry.status === 'done')).toBe(true)
    const stored = await readdir(`${app.dataDir}/objects`, { recursive: true, withFileTypes: true })
    const generated = /^(?:models\+[0-9a-f]{64}|[a-z-]+\+[0-9a-f]{64}[\w.-]*)$/
    const astray = stored
      .filter(
        (entry) => entry.isFile() && !entry.parentPath.endsWith('.pending') && !generated.test(entry.name),
      )
      .map((entry) => entry.name)
    for (const id of ids) {
      const { headers } = await app.http.inject({ url: `/api/stl-files/${id}/file`, headers: staff })
      // oxlint-disable-next-line no-control-regex -- the test looks for control characters
      if (/[\r\n\u0000]/.test(String(headers['content-disposition']))) wrong.push(`header of ${id}`)
    }
    console.info(`T60 files called by a name from outside ${astray.length} of ${2 * NAMES.length}`)
    expect([wrong, astray]).toEqual([[], []])
    expect(await readdir(app.dataDir)).toEqual(before)
  })

  it('T63 form fields that imitate internal fields are ignored', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const extra = {
      path: '/etc/passwd',
      tmp: '/tmp/x',
      size: '0',
      key: 'models/x',
      bucket: 'b',
      sha256: '0',
      object_key: 'x',
      id: '01890000-0000-7000-8000-000000000000',
      uploaded_by: 'owner',
      source_url: 'http://x/',
      sale_allowed: 'true',
      is_product: 'true',
      duplicate_of: '01890000-0000-7000-8000-000000000000',
      triangles: '1',
      created_at: '2000-01-01',
    }
    const plain = (await upload(app, staff, { name: 'a.stl', bytes: CUBE })).json<Model>()
    const forged = (await upload(app, staff, { name: 'a.stl', bytes: CUBE }, extra)).json<Model>()
    const same = [
      'sha256',
      'file_size',
      'uploaded_by',
      'source_url',
      'sale_allowed',
      'is_product',
      'triangles',
    ] as const
    const changed = same.filter((field) => JSON.stringify(forged[field]) !== JSON.stringify(plain[field]))
    console.info(`T63 fields that counted ${changed.length} of ${Object.keys(extra).length}`)
    expect(changed).toEqual([])
    expect(forged.id).not.toBe(extra.id)
    expect(forged.duplicate_of).toBe(plain.id)
  })

  it('T8 a file sent with upload_method=url is discarded', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const form = await multipart({ upload_method: 'url', url: 'http://10.0.0.1/a.stl' }, [
      { name: 'a.stl', bytes: CUBE },
    ])
    const url = '/api/stl-files/upload'
    const answer = await app.http.inject({
      method: 'POST',
      url,
      headers: { ...staff, ...form.headers },
      payload: form.payload,
    })
    expect(answer.statusCode).toBe(422)
    expect(await keptBy(app)).toEqual(NOTHING)
  })
})
