import type { Spool } from '@pegasus/contracts/filament/spools'
import type { SpoolEntry, SpoolWithEntry } from '@pegasus/contracts/filament/ledger'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { book } from './book-entry.ts'

type Headers = Record<string, string>

const post = (app: TestApp, headers: Headers, url: string, payload?: object) =>
  app.http.inject({ method: 'POST', url, headers, ...(payload && { payload }) })

const booked = async (app: TestApp, headers: Headers, url: string, payload?: object) => {
  const answer = await post(app, headers, url, payload)
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json<SpoolWithEntry>()
}

const ledgerOf = async (app: TestApp, headers: Headers, id: string) =>
  (await app.http.inject({ url: `/api/filament/${id}/ledger`, headers })).json<SpoolEntry[]>()

/** Asserts that the remaining grams are exactly the sum of the ledger. */
async function assertSums(app: TestApp): Promise<void> {
  const wrong = await app.database.sql`
    select s.id from spools s join spool_ledger e on e.spool_id = s.id
    group by s.id having sum(e.delta_grams) <> s.remaining_grams`
  expect(wrong).toHaveLength(0)
}

describe('the order of the spool ledger', () => {
  it('the spool ledger lists entries in the order in which they were written, even if a slower weighing began first', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app, { spoolWeightGrams: 200 })
    const begun = app.clock.now().getTime()
    const bookAt = (seconds: number, entry: { kind: 'use' | 'weigh'; delta_grams: number }) =>
      app.database.transaction((tx) =>
        book(tx, { spool_id: id, ...entry }, { actor: SYSTEM_ACTOR, now: new Date(begun + seconds * 1000) }),
      )
    await bookAt(2, { kind: 'use', delta_grams: -100 })
    await bookAt(1, { kind: 'weigh', delta_grams: -50 })
    const ledger = await ledgerOf(app, staff, id)
    expect(ledger.map(({ kind, after_grams: left }) => [kind, left])).toEqual([
      ['weigh', 850],
      ['use', 900],
      ['open', 1000],
    ])
    // The weighing has measured the remaining weight, so an earlier use can no longer be undone.
    expect(ledger[1]?.can_undo).toBe(false)
    await assertSums(app)
  })
})

describe('spools whose filament is being changed', () => {
  it("a use of filament that waits while the spool's filament is changed is booked with the new filament", async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app, { material: 'PLA', densityGCm3: 1.24 })
    const heavy = await aSpool(app, { material: 'PLA', name: 'Metal', densityGCm3: 3.1 })
    const { waiting } = await app.database.transaction(async (tx) => {
      await tx`update spools set filament_id = (select filament_id from spools where id = ${heavy}) where id = ${id}`
      const using = booked(app, staff, `/api/filament/${id}/use`, { length_mm: 10_000 })
      await untilWaiting(app, 1)
      return { waiting: using }
    })
    const { remaining_grams: left } = await waiting
    expect(1000 - left).toBeCloseTo((3.1 * Math.PI * (1.75 / 2) ** 2 * 10_000) / 1000, 1)
  })

  it('a spool restored from the trash returns to its latest location', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [id, other] = [await aSpool(app, { location: 'Rack A' }), await aSpool(app, { location: 'Rack B' })]
    await app.http.inject({ method: 'DELETE', url: `/api/filament/${id}`, headers: staff })
    const { waiting } = await app.database.transaction(async (tx) => {
      await tx`update spools set location_id = (select location_id from spools where id = ${other}) where id = ${id}`
      const restoring = post(app, staff, `/api/filament/${id}/restore`)
      await untilWaiting(app, 1)
      return { waiting: restoring }
    })
    expect((await waiting).json<Spool>().location).toBe('Rack B')
  })
})

describe('the audit of weighing', () => {
  it('weighing a spool writes an audit entry if the weight of the empty spool changes', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app, { spoolWeightGrams: 200 })
    const url = `/api/filament/${id}/weigh`
    await booked(app, staff, url, { gross_grams: 700, spool_weight_grams: 200 })
    await booked(app, staff, url, { gross_grams: 700 })
    expect(await auditOf(app, 'spool')).toEqual([])
    await booked(app, staff, url, { gross_grams: 700, spool_weight_grams: 250 })
    expect(await auditOf(app, 'spool')).toMatchObject([
      { action: 'spool.updated', before: { spool_weight_grams: 200 }, after: { spool_weight_grams: 250 } },
    ])
  })
})

describe('using filament', () => {
  it('the use of filament is booked by weight, or by a length that is converted with density and diameter', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app, { spoolWeightGrams: 140 })
    const byWeight = await booked(app, staff, `/api/filament/${id}/use`, { grams: 12.5, reason: 'Benchy' })
    expect(byWeight).toMatchObject({
      id,
      remaining_grams: 987.5,
      entry: { kind: 'use', delta_grams: -12.5, before_grams: 1000, after_grams: 987.5, reason: 'Benchy' },
    })
    // Expected: 1.24 g/cm³ · π · (0.875 mm)² · 100 m.
    const byLength = await booked(app, staff, `/api/filament/${id}/use`, { length_mm: 100_000 })
    expect(byLength.entry).toMatchObject({ delta_grams: -298.25, length_mm: 100_000 })
    expect(byLength.remaining_grams).toBe(689.25)
    const jobId = await aPrintJob(app, { spoolId: id })
    const wasted = { grams: 5, kind: 'waste', print_job_id: jobId }
    const { entry } = await booked(app, staff, `/api/filament/${id}/use`, wasted)
    expect(entry).toMatchObject({ kind: 'waste', print_job_id: jobId, print_job_label: 'J-00001' })
    expect((await ledgerOf(app, staff, id)).map(({ kind }) => kind)).toEqual(['waste', 'use', 'use', 'open'])
    await assertSums(app)
  })

  it('a use that exceeds the remaining filament leaves zero grams, but keeps the reported amount in the ledger', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app, { remainingGrams: 100 })
    const uses = Array.from({ length: 12 }, () =>
      booked(app, staff, `/api/filament/${id}/use`, { grams: 15 }),
    )
    const entries = (await Promise.all(uses)).map(({ entry }) => entry)
    expect(entries.reduce((sum, { delta_grams: delta }) => sum + delta, 0)).toBe(-100)
    const clipped = entries.filter((entry) => entry.reported_grams !== null)
    expect(clipped.map((entry) => entry.reported_grams)).toEqual(Array(6).fill(15))
    expect(clipped.map((entry) => entry.delta_grams).toSorted((a, b) => a - b)).toEqual([-10, 0, 0, 0, 0, 0])
    await assertSums(app)
  })

  it('a use of filament is booked once for a repeated idempotency key', async () => {
    const app = await buildTestApp()
    const staff = { ...(await app.as('staff')), 'idempotency-key': 'print-9' }
    const id = await aSpool(app)
    const url = `/api/filament/${id}/use`
    const [one, two] = [
      await booked(app, staff, url, { grams: 5 }),
      await booked(app, staff, url, { grams: 5 }),
    ]
    expect(two).toEqual(one)
    expect((await post(app, staff, url, { grams: 6 })).statusCode).toBe(409)
    expect(await ledgerOf(app, staff, id)).toHaveLength(2)
  })

  it('a use of filament is refused with invalid input and without permission', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app)
    const bad = [
      {},
      { grams: 1, length_mm: 1 },
      { grams: 0 },
      { grams: -3 },
      { grams: '3' },
      { length_mm: 0 },
      { grams: 1_000_001 },
      { grams: 1, kind: 'open' },
      { grams: 1, reason: 'x\0' },
    ]
    for (const body of bad)
      expect([body, (await post(app, staff, `/api/filament/${id}/use`, body)).statusCode]).toEqual([
        body,
        422,
      ])
    const gone = { grams: 1, print_job_id: crypto.randomUUID() }
    expect((await post(app, staff, `/api/filament/${id}/use`, gone)).statusCode).toBe(404)
    const viewer = await app.as('viewer')
    expect((await post(app, viewer, `/api/filament/${id}/use`, {})).statusCode).toBe(403)
    expect(await ledgerOf(app, viewer, id)).toHaveLength(1)
  })
})

describe('weighing and correcting a spool', () => {
  it('weighing a spool subtracts the empty spool from the weight on the scale', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app, { spoolWeightGrams: 140 })
    const weighed = await booked(app, staff, `/api/filament/${id}/weigh`, { gross_grams: 612.4 })
    expect(weighed).toMatchObject({
      remaining_grams: 472.4,
      entry: { kind: 'weigh', gross_grams: 612.4, delta_grams: -527.6 },
    })
    const more = await booked(app, staff, `/api/filament/${id}/weigh`, { gross_grams: 640 })
    expect(more).toMatchObject({ remaining_grams: 500, entry: { delta_grams: 27.6 } })
    await assertSums(app)
  })

  it('a weighing with an invalid weight is refused with the reason', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const known = `/api/filament/${await aSpool(app, { spoolWeightGrams: 140 })}/weigh`
    const unknown = `/api/filament/${await aSpool(app, { brand: 'eSun' })}/weigh`
    for (const [url, gross_grams, words] of [
      [known, 139, 'The empty spool alone weighs 140 g, so it cannot weigh 139 g with filament on it.'],
      [known, 1400, 'That would be 1,260 g of filament on a spool that holds 1,000 g when full.'],
      [unknown, 500, 'Also enter the weight of the empty spool. Most spools weigh 140–250 g.'],
    ] as const) {
      const answer = await post(app, staff, url, { gross_grams })
      expect(answer.statusCode).toBe(422)
      expect(answer.json<{ detail: string }>().detail).toContain(words)
    }
    const weighed = await booked(app, staff, unknown, { gross_grams: 500, spool_weight_grams: 180 })
    expect(weighed).toMatchObject({ remaining_grams: 320, spool_weight_grams: 180 })
    expect(await booked(app, staff, unknown, { gross_grams: 480 })).toMatchObject({ remaining_grams: 300 })
  })

  it('a correction with a reason sets the remaining weight of a spool', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app)
    const url = `/api/filament/${id}/correct`
    expect((await post(app, staff, url, { remaining_grams: 300 })).json()).toMatchObject({
      detail: 'Please enter a reason.',
    })
    const body = { remaining_grams: 300, reason: 'Was another roll' }
    expect(await booked(app, staff, url, body)).toMatchObject({
      remaining_grams: 300,
      entry: { kind: 'correct', delta_grams: -700, reason: 'Was another roll' },
    })
    await assertSums(app)
  })
})

describe('undoing a ledger entry', () => {
  it('undoing a ledger entry adds one reverse entry, even for parallel requests', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app, { remainingGrams: 10 })
    const { entry } = await booked(app, staff, `/api/filament/${id}/use`, { grams: 25 })
    const url = `/api/spool-entries/${entry.id}/undo`
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(app, staff, url)))
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    const spool = (await app.http.inject({ url: `/api/filament/${id}`, headers: staff })).json<Spool>()
    expect(spool.remaining_grams).toBe(10)
    const [undo, undone] = await ledgerOf(app, staff, id)
    expect(undo).toMatchObject({ undoes_id: entry.id, delta_grams: 10, can_undo: false })
    expect(undone).toMatchObject({ is_undone: true, can_undo: false })
    await assertSums(app)
  })

  it('a ledger entry before a measurement can be undone only after the measurement is undone', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app, { spoolWeightGrams: 100 })
    const { entry: use } = await booked(app, staff, `/api/filament/${id}/use`, { grams: 50 })
    const { entry: weighed } = await booked(app, staff, `/api/filament/${id}/weigh`, { gross_grams: 1000 })
    const refused = await post(app, staff, `/api/spool-entries/${use.id}/undo`)
    expect(refused.json()).toMatchObject({ code: 'spool_entry_stays' })
    await booked(app, staff, `/api/spool-entries/${weighed.id}/undo`)
    const after = await booked(app, staff, `/api/spool-entries/${use.id}/undo`)
    expect(after.remaining_grams).toBe(1000)
  })

  it('nobody can undo an opening balance, an undo or an unknown ledger entry, and viewers can undo no entry', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const id = await aSpool(app)
    const [open] = await ledgerOf(app, staff, id)
    const { entry } = await booked(app, staff, `/api/filament/${id}/use`, { grams: 5 })
    const { entry: undo } = await booked(app, staff, `/api/spool-entries/${entry.id}/undo`)
    for (const [entryId, status] of [
      [open?.id, 409],
      [undo.id, 409],
      [crypto.randomUUID(), 404],
    ] as const)
      expect((await post(app, staff, `/api/spool-entries/${entryId}/undo`)).statusCode).toBe(status)
    const viewer = await app.as('viewer')
    expect((await post(app, viewer, `/api/spool-entries/${undo.id}/undo`)).statusCode).toBe(403)
  })
})
