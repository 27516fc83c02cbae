import { LICENSE_TYPES, type LicenseType } from '@pegasus/contracts/stl-library/licenses'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { attributionOf, judgeSale } from './license.ts'
import { type LinkedModel, judgeGate, readSaleGate } from './license-gate.ts'

const aLink = (model: Partial<LinkedModel> = {}): LinkedModel => ({
  id: 'a',
  title: 'Dragon',
  license_type: 'CC0',
  sale_allowed: null,
  attribution_url: null,
  source_url: null,
  metadata: null,
  ...model,
})

describe('whether prints of a model may be sold', () => {
  it.each([
    ['Public Domain', ['allowed', 'allowed', 'allowed']],
    ['CC0', ['allowed', 'allowed', 'allowed']],
    ['CC BY', ['allowed', 'allowed', 'allowed']],
    ['CC BY-SA', ['allowed', 'allowed', 'allowed']],
    ['CC BY-NC', ['forbidden', 'forbidden', 'forbidden']],
    ['Custom', ['unknown', 'allowed', 'forbidden']],
    [null, ['unknown', 'unknown', 'unknown']],
    // This license is not in our list, so it counts as unknown.
    ['CC BY-ND' as LicenseType, ['unknown', 'unknown', 'unknown']],
    ['' as LicenseType, ['unknown', 'unknown', 'unknown']],
  ] as const)(
    "the sale verdicts of a model under %s are %j for a person's entry null, true and false",
    (license_type, verdicts) => {
      const judged = [null, true, false].map((sale_allowed) => judgeSale({ license_type, sale_allowed }))
      expect(judged.map(({ verdict }) => verdict)).toEqual(verdicts)
      for (const { reason } of judged) expect(reason).toMatch(/^[A-Z].*\.$/)
    },
  )

  it('an attribution names the author if the license requires attribution', () => {
    const owed = LICENSE_TYPES.map((license_type) => attributionOf(aLink({ license_type })))
    expect(owed).toEqual([null, null, '“Dragon”, CC BY', '“Dragon”, CC BY-SA', '“Dragon”, CC BY-NC', null])
    const full = {
      license_type: 'CC BY',
      attribution_url: 'https://x.example/1',
      metadata: { designer: 'Ann' },
    } as const
    expect(attributionOf(aLink(full))).toBe('“Dragon” by Ann (https://x.example/1), CC BY')
    const fetched = { license_type: 'CC BY', source_url: 'https://y.example/2' } as const
    expect(attributionOf(aLink(fetched))).toBe('“Dragon” (https://y.example/2), CC BY')
  })
})

describe('the license gate of a product', () => {
  const free = aLink()
  const by = aLink({ id: 'b', license_type: 'CC BY', metadata: { designer: 'Ann' } })
  const nobodys = aLink({ id: 'n', license_type: 'CC BY-SA' })
  const nc = aLink({ id: 'c', license_type: 'CC BY-NC' })
  const open = aLink({ id: 'o', license_type: 'Custom' })
  const sold = aLink({ id: 's', license_type: 'Custom', sale_allowed: true })
  const kept = aLink({ id: 'k', license_type: 'Custom', sale_allowed: false })
  const none = aLink({ id: 'e', license_type: null })
  const table: [string, Parameters<typeof judgeGate>[0], string, (string | null)[], number][] = [
    ['no model and no license: an own design', { license: null, models: [] }, 'notice', [null], 0],
    ['no model, a free license', { license: 'cc0', models: [] }, 'allowed', [], 0],
    ['no model, BY', { license: 'cc-by', models: [] }, 'allowed', [], 0],
    ['no model, BY-SA', { license: 'cc-by-sa', models: [] }, 'allowed', [], 0],
    ['no model, custom', { license: 'custom', models: [] }, 'notice', [null], 0],
    ['no model, NC', { license: 'cc-by-nc', models: [] }, 'blocked', [null], 0],
    ['a free model', { license: null, models: [free] }, 'allowed', [], 0],
    ['a model that is owed a line', { license: null, models: [by] }, 'allowed', [], 1],
    ['a line owed to nobody known', { license: 'cc-by-sa', models: [nobodys] }, 'notice', ['n'], 1],
    ['an NC model', { license: 'cc0', models: [free, nc] }, 'blocked', ['c'], 1],
    ['a Custom one that nobody judged', { license: null, models: [open] }, 'blocked', ['o'], 0],
    ['a Custom one that was allowed', { license: null, models: [sold] }, 'allowed', [], 0],
    ['a Custom one that was not', { license: null, models: [kept] }, 'blocked', ['k'], 0],
    ['a model without a license', { license: 'cc0', models: [none] }, 'blocked', ['e'], 0],
    ['an NC product of a free model', { license: 'cc-by-nc', models: [free] }, 'blocked', [null], 0],
    [
      'all of it',
      { license: 'custom', models: [free, nc, open, nobodys] },
      'blocked',
      [null, 'c', 'o', 'n'],
      2,
    ],
  ]
  it.each(table)(
    'the license gate of a product decides correctly: %s',
    (_, product, verdict, about, lines) => {
      const gate = judgeGate(product)
      expect([gate.verdict, gate.reasons.map(({ modelId }) => modelId)]).toEqual([verdict, about])
      expect(gate.attributions).toHaveLength(lines)
      for (const { text } of gate.reasons) expect(text).toMatch(/\.$/)
    },
  )

  it('the license gate reads all linked models, even deleted models, and blocks if a model is missing', async () => {
    const app = await buildTestApp()
    const { sql } = app.database
    const dragon = await aModel(app, { title: 'Dragon', licenseType: 'CC BY', designer: 'Ann' })
    const robot = await aModel(app, { title: 'Robot', licenseType: 'CC BY-NC' })
    const gateOf = (...modelIds: string[]) => readSaleGate(sql, { license: null, modelIds })
    expect(await gateOf(dragon, dragon)).toEqual({
      verdict: 'allowed',
      reasons: [],
      attributions: ['“Dragon” by Ann, CC BY'],
    })
    await sql`update stl_files set deleted_at = now() where id = ${robot}`
    expect(await gateOf(dragon, robot)).toMatchObject({
      verdict: 'blocked',
      reasons: [{ modelId: robot, kind: 'block', text: '“Robot”: CC BY-NC forbids selling prints.' }],
    })
    const gone = '01890000-0000-7000-8000-000000000000'
    expect((await gateOf(dragon, gone)).reasons).toMatchObject([{ modelId: gone, kind: 'block' }])
    expect((await gateOf()).verdict).toBe('notice')
  })
})
