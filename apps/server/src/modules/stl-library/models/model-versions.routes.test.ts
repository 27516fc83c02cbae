import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelVersion } from '@pegasus/contracts/stl-library/model-changes'
import { createBox, createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { addVersion, analyzed, upload } from '../../../../test/support/library/model-upload.ts'
import { aPrintJob } from '../../../../test/support/stock-factories.ts'

type Headers = Record<string, string>
const SMALL = writeBinaryStl(createCube(10))
/** Suggestions are switched off, so that only the test changes the model. */
const TYPED = { title: 'Hook', use_ai: 'false' }
const LARGE = writeBinaryStl(createCube(20))

const versionsOf = async (app: TestApp, headers: Headers, id: string) =>
  (await app.http.inject({ url: `/api/stl-files/${id}/versions`, headers })).json<ModelVersion[]>()
const bytesOf = async (app: TestApp, headers: Headers, url: string) =>
  Buffer.compare((await app.http.inject({ url, headers })).rawPayload, LARGE) === 0 ? 'large' : 'not large'
const choose = (app: TestApp, headers: Headers, id: string) =>
  app.http.inject({ method: 'POST', url: `/api/stl-versions/${id}/make-current`, headers })

async function keysOf(app: TestApp): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of app.storage.list('models/')) keys.push(key)
  return keys.toSorted()
}

describe('versions of a model', () => {
  it('model versions can be added, measured, made current and served, while a queued job keeps its own version', {
    timeout: 120_000,
  }, async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = (await upload(app, staff, { name: 'hook-v1.stl', bytes: SMALL }, TYPED)).json<Model>()
    await analyzed(app, staff, id)
    const job = await aPrintJob(app, { stlFileId: id })

    const added = await addVersion(app, staff, id, {
      bytes: LARGE,
      name: 'hook-v2.stl',
      fields: { note: ' thicker ' },
    })
    expect(added.statusCode, added.body).toBe(201)
    expect(added.json()).toMatchObject({
      id,
      version: 2,
      revision: 2,
      file_name: 'hook-v2.stl',
      file_size: LARGE.length,
    })
    const model = await analyzed(app, staff, id)
    expect([model.analysis_status, model.bounding_box_mm?.size]).toEqual(['done', [20, 20, 20]])
    const find = async (query: string) =>
      (await app.http.inject({ url: `/api/stl-files?${query}`, headers: staff })).json<Model[]>().length
    expect([await find('search=v2'), await find('search=v1'), await find('fits=19x19x19')]).toEqual([1, 0, 0])

    const [second, first] = await versionsOf(app, staff, id)
    expect(second).toMatchObject({
      number: 2,
      is_current: true,
      note: 'thicker',
      uploaded_by: 'staff-1',
      format: 'stl',
    })
    expect(first).toMatchObject({ number: 1, is_current: false, note: null, file_name: 'hook-v1.stl' })
    expect(await bytesOf(app, staff, `/api/stl-versions/${second?.id}/file`)).toBe('large')
    expect(await bytesOf(app, staff, `/api/stl-versions/${first?.id}/file`)).toBe('not large')
    expect(await bytesOf(app, staff, `/api/stl-files/${id}/file`)).toBe('large')
    const uses = await app.http.inject({ url: `/api/stl-files/${id}/uses`, headers: staff })
    expect(uses.json()).toEqual({
      items: [],
      products: [],
      print_jobs: [{ id: job, status: 'pending', quantity: 1, version: 1 }],
    })

    const back = await choose(app, staff, first!.id)
    expect(back.json()).toMatchObject({ id, version: 1, revision: 3, file_name: 'hook-v1.stl' })
    expect((await choose(app, staff, first!.id)).json<Model>().revision).toBe(3)
    expect([await find('search=v2'), await find('search=v1'), await find('fits=19x19x19')]).toEqual([0, 1, 1])
    const entries = (await entriesOf(app)).filter(({ action }) => action.startsWith('model.version'))
    expect(
      entries.map(({ action, before, after }) => [action, before?.['version'], after?.['version']]),
    ).toEqual([
      ['model.version_added', 1, 2],
      ['model.version_chosen', 2, 1],
    ])
    expect((await addVersion(app, staff, id, { bytes: LARGE })).json<Model>().version).toBe(3)
  })

  it('each model version has its own pictures, so a browser never shows the picture of another version', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = (await upload(app, staff, { name: 'm.stl', bytes: SMALL }, TYPED)).json<Model>()
    const first = await analyzed(app, staff, id)
    // The shape must differ, because the pictures of all cubes look the same.
    await addVersion(app, staff, id, { bytes: writeBinaryStl(createBox(10, 20, 40)) })
    const second = await analyzed(app, staff, id)
    const ages: string[] = []
    for (const path of [first.thumbnail_path, second.thumbnail_path, `/api/stl-files/${id}/thumbnail`]) {
      const { statusCode, headers } = await app.http.inject({ url: path ?? '', headers: staff })
      ages.push(`${statusCode} ${headers['cache-control']}`)
    }
    // An address with a version always shows that version; an address without a version shows the current one.
    expect(ages).toEqual([
      '200 private, max-age=86400',
      '200 private, max-age=86400',
      '200 private, max-age=60',
    ])
    const picture = async (path: string | null) =>
      (await app.http.inject({ url: path ?? '', headers: staff })).rawPayload.toString('base64')
    const plain = `/api/stl-files/${id}/thumbnail`
    const current = await picture(second.thumbnail_path)
    expect(await picture(first.thumbnail_path)).not.toBe(current)
    expect([await picture(plain), await picture(`${plain}?of=0123456789ab`)]).toEqual([current, current])
    expect(second.thumbnail_path).not.toBe(first.thumbnail_path)
    expect(second.second_thumbnail_path).not.toBe(first.second_thumbnail_path)
    const [former] = (await versionsOf(app, staff, id)).filter(({ number }) => number === 1)
    const back = (await choose(app, staff, former?.id ?? '')).json<Model>()
    expect(back.thumbnail_path).toBe(first.thumbnail_path)
  })

  it('a new model version gets new suggestions, but keeps values that a person typed or confirmed', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const added = (await upload(app, staff, { name: 'hook_10mm.stl', bytes: SMALL })).json<Model>()
    const { id } = added
    const proposed = ({ title, tags, description }: Model) => [title, tags, description]
    const ofSmall = ['hook 10mm', ['10mm', 'hook'], '10.0 × 10.0 × 10.0 mm, one watertight part']
    // The title stays, because people recognize the model by it.
    const ofLarge = ['hook 10mm', ['20mm', 'hook'], '20.0 × 20.0 × 20.0 mm, one watertight part']
    expect(proposed(await analyzed(app, staff, id))).toEqual(ofSmall)

    await addVersion(app, staff, id, { bytes: LARGE, name: 'hook_20mm.stl' })
    const large = await analyzed(app, staff, id)
    expect([proposed(large), large.suggested_fields.toSorted()]).toEqual([
      ofLarge,
      ['description', 'tags', 'title'],
    ])
    const [, first] = await versionsOf(app, staff, id)
    expect(proposed((await choose(app, staff, first!.id)).json<Model>())).toEqual(ofSmall)

    const { revision } = await analyzed(app, staff, id)
    const edited = await app.http.inject({
      method: 'PUT',
      url: `/api/stl-files/${id}`,
      headers: { ...staff, 'if-match': `"${revision}"` },
      // The edit confirms the suggested description, and the title was typed.
      payload: { description: ofSmall[2], title: 'Hook' },
    })
    expect(edited.statusCode, edited.body).toBe(200)
    expect(proposed((await addVersion(app, staff, id, { bytes: LARGE, name: 'b.stl' })).json())).toEqual([
      'Hook',
      // The name suggests no tags, so only the previous size tag is removed.
      ['hook'],
      ofSmall[2],
    ])
  })

  it('a model version is described by its own measures, even if the measures of the previous version arrive late', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = (await upload(app, staff, { name: 'm.stl', bytes: SMALL })).json<Model>()
    // The first version is no longer current, so its analysis adds nothing.
    await addVersion(app, staff, id, { bytes: LARGE })
    expect((await analyzed(app, staff, id)).description).toMatch(/^20\.0 × 20\.0 × 20\.0 mm/)
  })

  it("a model version that cannot be measured is not described by another version's measures", async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = (await upload(app, staff, { name: 'm.stl', bytes: SMALL })).json<Model>()
    await analyzed(app, staff, id)
    const [first] = await versionsOf(app, staff, id)
    await addVersion(app, staff, id, { bytes: LARGE })
    await analyzed(app, staff, id)
    await app.database.sql`
      update stl_versions set analysis_status = 'failed', bounding_box_mm = null where id = ${first!.id}`
    const chosen = (await choose(app, staff, first!.id)).json<Model>()
    expect([chosen.description, chosen.suggested_fields]).toEqual([null, ['title']])
  })

  it('model versions that are added at the same time get different numbers', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = (await upload(app, staff, { name: 'm.stl', bytes: SMALL })).json<Model>()
    const sizes = [11, 12, 13, 14, 15]
    const answers = await Promise.all(
      sizes.map((size) => addVersion(app, staff, id, { bytes: writeBinaryStl(createCube(size)) })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(sizes.map(() => 201))
    const keyed = { ...staff, 'idempotency-key': 'once' }
    const twins = await Promise.all([1, 2].map(() => addVersion(app, keyed, id, { bytes: LARGE })))
    expect(twins.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect((await versionsOf(app, staff, id)).map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  it('a model version whose file is not a model is refused and leaves nothing behind', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = (await upload(app, staff, { name: 'm.stl', bytes: SMALL })).json<Model>()
    const before = await keysOf(app)
    const html = Buffer.from('<html><script>alert(1)</script></html>'.repeat(10))
    const nowhere = '01890000-0000-7000-8000-000000000000'
    const attempts = [
      [await addVersion(app, staff, id, { bytes: SMALL }), 422, 'The model already has exactly this file.'],
      [await addVersion(app, staff, id, {}), 422, 'Please select a file to upload.'],
      [await addVersion(app, staff, id, { bytes: html }), 422, null],
      [
        await addVersion(app, staff, id, { bytes: LARGE, fields: { note: 'x'.repeat(2001) } }),
        422,
        'Note can have at most 2000 characters',
      ],
      [await addVersion(app, staff, nowhere, { bytes: LARGE }), 404, 'This model is not in the library.'],
      [await addVersion(app, await app.as('viewer'), id, { bytes: LARGE }), 403, null],
      [await choose(app, staff, nowhere), 404, 'This version is not in the library.'],
    ] as const
    for (const [answer, status, detail] of attempts) {
      expect(answer.statusCode, answer.body).toBe(status)
      if (detail) expect(answer.json<{ detail: string }>().detail).toBe(detail)
    }
    expect(await versionsOf(app, staff, id)).toHaveLength(1)
    expect(await keysOf(app)).toEqual(before)
    const [version] = await versionsOf(app, staff, id)
    await app.http.inject({ method: 'DELETE', url: `/api/stl-files/${id}`, headers: staff })
    const trashed = await app.http.inject({ url: `/api/stl-versions/${version?.id}/file`, headers: staff })
    expect([trashed.statusCode, (await choose(app, staff, version!.id)).statusCode]).toEqual([404, 404])
  })
})
