import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { ReplenishmentProposals } from '@pegasus/contracts/print-queue/replenishment'
import type { Role } from '@pegasus/contracts/roles'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aMovement, anItem } from '../../../../test/support/stock-factories.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import { expectOneResponse } from '../../../../test/support/repeated-requests.ts'

const PROPOSALS = '/api/inventory/replenishment/proposals'

const send = async (
  app: TestApp,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
  as: Role = 'staff',
) => app.http.inject({ method, url, headers: await app.as(as), ...(payload && { payload }) })

const read = async (app: TestApp) => (await send(app, 'GET', PROPOSALS)).json<ReplenishmentProposals>()
const proposed = async (app: TestApp) => (await read(app)).proposals

/**
 * Adds an item with 3 pieces in stock (or `quantity`), a reorder point of 5, a maximum of 10 and 4 pieces per plate.
 * Returns its id.
 */
async function aLowDragon(app: TestApp, name = 'Dragon', quantity = 3): Promise<string> {
  const id = await anItem(app, { name, quantity })
  const model = await aModel(app)
  await app.database.sql`
    update items set stl_file_id = ${model}, pieces_per_print = 4, reorder_point = 5, max_stock = 10 where id = ${id}`
  return id
}

/** Sets the clock to an hour of the next day, in UTC. */
function passTo(app: TestApp, hour: number): void {
  const now = app.clock.now().getTime()
  const next = Math.floor(now / DAY_MS) * DAY_MS + DAY_MS + hour * HOUR_MS
  app.clock.advance(next - now)
}

describe('valid proposal requests', () => {
  it('the nightly check proposes each low item once, even if several processes run it', async () => {
    const app = await buildTestApp()
    const itemId = await aLowDragon(app)
    passTo(app, 1)
    await app.nightlyProposals.run()
    expect(await read(app)).toMatchObject({
      schedule: { hour: 2, time_zone: 'UTC' },
      last_night_at: null,
      proposals: [],
    })
    passTo(app, 2)
    await Promise.all(Array.from({ length: 5 }, () => app.nightlyProposals.run()))
    const { proposals, last_night_at: at } = await read(app)
    expect(Date.parse(at ?? '')).toBe(app.clock.now().getTime())
    expect(proposals).toMatchObject([
      {
        inventory_item_id: itemId,
        name: 'Dragon',
        missing: 7,
        plates: 2,
        pieces_per_plate: 4,
        surplus: 1,
        sentence: '10 wanted − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock',
      },
    ])
    expect((await send(app, 'GET', '/api/print-queue')).json()).toEqual([])

    const items = [{ id: proposals[0]?.id }]
    const clicks = await Promise.all(
      Array.from({ length: 3 }, () => send(app, 'POST', `${PROPOSALS}/accept`, { items })),
    )
    expect(clicks.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const jobs = (await send(app, 'GET', '/api/print-queue')).json<PrintJob[]>()
    expect(jobs).toMatchObject([{ inventory_item_id: itemId, quantity: 7, plates: 2, status: 'pending' }])
    expect(await proposed(app)).toEqual([])
    passTo(app, 3)
    await app.nightlyProposals.run()
    expect(await proposed(app)).toEqual([])
  })

  it('an item is proposed when its free pieces are at the reorder point, even if many reserved pieces are still in stock', async () => {
    const app = await buildTestApp()
    const itemId = await aLowDragon(app, 'Dragon', 20)
    await aMovement(app, { itemId, kind: 'reserve', reservedDelta: 14 })
    await send(app, 'POST', PROPOSALS)
    expect(await proposed(app)).toEqual([])
    await aMovement(app, { itemId, kind: 'reserve', reservedDelta: 4 })
    await send(app, 'POST', PROPOSALS)
    expect(await proposed(app)).toMatchObject([{ inventory_item_id: itemId, missing: 8, plates: 2 }])
  })

  it('a person can request the proposals at any time, and the nightly run happens as usual', async () => {
    const app = await buildTestApp()
    passTo(app, 1)
    const propose = async () => {
      const answer = await send(app, 'POST', PROPOSALS)
      expect(answer.statusCode).toBe(200)
      return answer.json<ReplenishmentProposals>()
    }
    expect((await propose()).proposals).toEqual([])
    const itemId = await aLowDragon(app)
    const answers = await Promise.all([propose(), propose(), propose()])
    for (const { proposals, last_night_at: at } of answers)
      expect([proposals.map(({ inventory_item_id: id }) => id), at]).toEqual([[itemId], null])
    const [proposal] = await proposed(app)
    await send(app, 'POST', `${PROPOSALS}/dismiss`, { ids: [proposal?.id] })
    expect((await propose()).proposals).toEqual([])
    await app.database.sql`update items set max_stock = 12 where id = ${itemId}`
    expect((await propose()).proposals).toMatchObject([{ inventory_item_id: itemId, missing: 9 }])
    // An item that was refilled in the meantime is no longer proposed.
    await app.database.sql`update items set reorder_point = 1 where id = ${itemId}`
    expect((await propose()).proposals).toEqual([])
    passTo(app, 2)
    await app.nightlyProposals.run()
    expect((await read(app)).last_night_at).not.toBeNull()
    expect((await send(app, 'POST', PROPOSALS, undefined, 'viewer')).statusCode).toBe(403)
  })

  it('the audit says who asked for proposals and how many have changed, and has no entry for a request that changed none', async () => {
    const app = await buildTestApp()
    passTo(app, 1)
    const propose = () => send(app, 'POST', PROPOSALS)
    await propose()
    const itemId = await aLowDragon(app)
    await aLowDragon(app, 'Egg')
    await Promise.all([propose(), propose()])
    await app.database.sql`update items set max_stock = 12 where id = ${itemId}`
    await propose()
    await propose()
    await app.database.sql`update items set reorder_point = 1 where id = ${itemId}`
    await propose()
    // The nightly run finds another low item without a request.
    await aLowDragon(app, 'Hook')
    passTo(app, 2)
    await app.nightlyProposals.run()
    const entries = (await entriesOf(app)).filter(({ action }) => action === 'replenishment.proposed')
    expect(new Set(entries.map(({ actor_kind: kind, actor_id: id }) => `${kind} ${id === null}`))).toEqual(
      new Set(['user false']),
    )
    expect(entries.map(({ after }) => after)).toEqual([
      { added: 2, changed: 0, closed: 0 },
      { added: 0, changed: 1, closed: 0 },
      { added: 0, changed: 0, closed: 1 },
    ])
  })

  it('a person can change the number of proposed pieces, and items without missing pieces are not proposed', async () => {
    const app = await buildTestApp()
    const [dragon, egg] = [await aLowDragon(app), await aLowDragon(app, 'Egg')]
    passTo(app, 2)
    await app.nightlyProposals.run()
    const [first, second] = await proposed(app)
    const accept = (items: object[]) => send(app, 'POST', `${PROPOSALS}/accept`, { items })
    const made = await accept([{ id: first?.id, quantity: 12 }])
    expect(made.json<{ jobs: PrintJob[] }>().jobs).toMatchObject([
      { inventory_item_id: dragon, quantity: 12, plates: 3 },
    ])
    await app.database.sql`update items set reorder_point = 0 where id = ${egg}`
    expect(await proposed(app)).toEqual([])
    for (const entered of [{}, { quantity: 12 }]) {
      const late = await accept([{ id: second?.id, ...entered }])
      expect(late.statusCode).toBe(409)
      expect(late.json()).toMatchObject({ detail: 'No pieces of “Egg” are missing now.' })
    }
    passTo(app, 2)
    await app.nightlyProposals.run()
    await app.database.sql`update items set reorder_point = 5 where id = ${egg}`
    expect(await proposed(app)).toEqual([])
    passTo(app, 2)
    await app.nightlyProposals.run()
    expect(await proposed(app)).toMatchObject([{ inventory_item_id: egg, missing: 7 }])
  })

  it('more missing pieces than a job can have are queued in several jobs, and the rest is proposed again', async () => {
    const app = await buildTestApp()
    const [dragon, egg] = [await aLowDragon(app), await aLowDragon(app, 'Egg', 0)]
    await app.database.sql`update items set reorder_point = 2000001 where id = ${dragon}`
    await app.database.sql`update items set reorder_point = 1000000 where id = ${egg}`
    const url = '/api/inventory/replenishment'
    const propose = async () =>
      (await send(app, 'POST', PROPOSALS)).json<ReplenishmentProposals>().proposals.map((line) => ({
        id: line.id,
        facts: [line.name, line.missing, line.plates, line.sentence],
      }))
    const first = await propose()
    const most = '1,000,000 now, the most that a print job can have → 250,000 plates of 4'
    expect(first.map(({ facts }) => facts)).toEqual([
      ['Dragon', 1_999_999, 250_000, `2,000,002 wanted − 3 on the shelf = 1,999,999 → ${most}`],
      ['Egg', 1_000_001, 250_000, `1,000,001 wanted = 1,000,001 → ${most}`],
    ])
    const accepted = await send(app, 'POST', `${PROPOSALS}/accept`, {
      items: first.map(({ id }) => ({ id })),
    })
    expect(accepted.statusCode, accepted.body).toBe(201)
    const made = await send(app, 'POST', url, { inventory_item_ids: [dragon] })
    const quantities = [accepted, made].map((answer) =>
      answer.json<{ jobs: PrintJob[] }>().jobs.map(({ quantity }) => quantity),
    )
    expect(quantities).toEqual([[1_000_000, 1_000_000], [999_999]])
    expect((await propose()).map(({ facts }) => facts)).toEqual([
      ['Egg', 1, 1, '1,000,001 wanted − 1,000,000 queued = 1 → 1 plate of 4 → 3 to stock'],
    ])
  })

  it('a dismissed item is proposed again after a week, after an undo, or when more of its pieces are missing', async () => {
    const app = await buildTestApp()
    const itemId = await aLowDragon(app)
    const nextNight = async () => {
      passTo(app, 2)
      await app.nightlyProposals.run()
      return (await proposed(app)).map(({ missing }) => missing)
    }
    const dismiss = async () => {
      const ids = (await proposed(app)).map(({ id }) => id)
      expect((await send(app, 'POST', `${PROPOSALS}/dismiss`, { ids })).json()).toMatchObject({
        proposals: [],
      })
      return ids
    }
    expect(await nextNight()).toEqual([7])
    const ids = await dismiss()
    const restored = await send(app, 'POST', `${PROPOSALS}/restore`, { ids })
    expect(restored.json<ReplenishmentProposals>().proposals).toHaveLength(1)
    await dismiss()
    expect(await nextNight()).toEqual([])
    await app.database.sql`update items set max_stock = 12 where id = ${itemId}`
    expect(await nextNight()).toEqual([9])
    // The item has a new open proposal, so the dismissed one cannot be restored.
    expect((await send(app, 'POST', `${PROPOSALS}/restore`, { ids })).statusCode).toBe(409)
    await dismiss()
    for (let night = 1; night <= 6; night += 1) expect(await nextNight()).toEqual([])
    expect(await nextNight()).toEqual([9])
    const actions = (await entriesOf(app))
      .filter((entry) => entry.entity_id === itemId)
      .map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('replenishment'))).toHaveLength(4)
  })

  it('proposals are made at an hour in the time zone of the schedule, or never if no hour is set', async () => {
    const app = await buildTestApp()
    await aLowDragon(app)
    const set = (body: object, as: Role = 'admin') =>
      send(app, 'PUT', '/api/inventory/replenishment/schedule', body, as)
    expect((await set({ hour: null, time_zone: 'UTC' })).statusCode).toBe(200)
    passTo(app, 23)
    await app.nightlyProposals.run()
    expect(await proposed(app)).toEqual([])
    // At this time, it is 8:00 on the next day in Tokyo.
    const tokyo = { hour: 9, time_zone: 'Asia/Tokyo' }
    expect((await set(tokyo)).json()).toEqual(tokyo)
    await app.nightlyProposals.run()
    expect(await proposed(app)).toEqual([])
    app.clock.advance(HOUR_MS)
    await app.nightlyProposals.run()
    expect(await proposed(app)).toHaveLength(1)
  })
})

describe('invalid proposal requests', () => {
  it('proposal requests return 404 for an unknown proposal and 422 for invalid fields', async () => {
    const app = await buildTestApp()
    const id = '01890000-0000-7000-8000-000000000001'
    for (const [step, body] of [
      ['accept', { items: [{ id }] }],
      ['dismiss', { ids: [id] }],
      ['restore', { ids: [id] }],
    ] as const)
      expect((await send(app, 'POST', `${PROPOSALS}/${step}`, body)).statusCode).toBe(404)
    for (const [step, body] of [
      ['accept', { items: [] }],
      ['accept', { items: [{ id, quantity: 0 }] }],
      ['accept', { items: [{ id }, { id }] }],
      ['dismiss', { ids: ['x'] }],
    ] as const)
      expect((await send(app, 'POST', `${PROPOSALS}/${step}`, body)).statusCode).toBe(422)
    for (const body of [
      { hour: 24, time_zone: 'UTC' },
      { hour: 2, time_zone: 'Mars/Olympus' },
      { hour: 2.5, time_zone: 'UTC' },
    ]) {
      const answer = await send(app, 'PUT', '/api/inventory/replenishment/schedule', body, 'admin')
      expect(answer.statusCode).toBe(422)
    }
  })
})

describe('proposal requests without permission', () => {
  it('viewers see no proposals, and only admins can set the hour at which proposals are made', async () => {
    const app = await buildTestApp()
    expect((await send(app, 'GET', PROPOSALS, undefined, 'viewer')).statusCode).toBe(403)
    const body = { hour: 3, time_zone: 'UTC' }
    const answer = await send(app, 'PUT', '/api/inventory/replenishment/schedule', body, 'staff')
    expect(answer.statusCode).toBe(403)
  })
})

it('T93 repeated requests to propose prints or to accept a proposal with one key have an effect once', async () => {
  const app = await buildTestApp()
  await aLowDragon(app)
  const staff = await app.as('staff')
  const item = { url: '/api/inventory', payload: { name: 'Hook' } }
  const listed = await expectOneResponse(app, staff, { url: PROPOSALS }, item)
  expect([listed.statusCode, listed.json()]).toEqual([200, await read(app)])
  const [proposal] = await proposed(app)
  const accept = (quantity: number) => ({
    url: `${PROPOSALS}/accept`,
    payload: { items: [{ id: proposal?.id, quantity }] },
  })
  const accepted = await expectOneResponse(app, staff, accept(7), accept(8))
  expect([accepted.statusCode, accepted.json<{ jobs: PrintJob[] }>().jobs.length]).toEqual([201, 1])
  expect((await send(app, 'GET', '/api/print-queue')).json()).toHaveLength(1)
})
