import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { MovedItem } from '@pegasus/contracts/inventory/stock-movements'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { isLongRun } from '../../../../test/process/product-process.ts'
import { type Calls, addedItem, callsOf } from '../../../../test/support/api-calls.ts'

const ROUNDS = isLongRun ? 50 : 3
const OPERATIONS = isLongRun ? 10_000 : 400
const CLIENTS = 8
const timeout = isLongRun ? 1_800_000 : 120_000

/** Finds items whose quantities differ from the sums of their movements, or are negative. */
const wrongItems = (app: TestApp) => app.database.sql`
  select i.sku, i.quantity, i.reserved_quantity, sum(m.delta)::int as delta, sum(m.reserved_delta)::int as reserved
  from items i left join movements m on m.item_id = i.id
  group by i.id
  having i.quantity <> coalesce(sum(m.delta), 0) or i.reserved_quantity <> coalesce(sum(m.reserved_delta), 0)
      or i.quantity < 0 or i.reserved_quantity < 0`

it(`T91 exactly 37 of 100 concurrent removals from 37 pieces succeed, in ${ROUNDS} of ${ROUNDS} rounds`, {
  timeout,
}, async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const outcomes: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await addedItem(staff, { quantity: 37 })
    const takes = Array.from({ length: 100 }, () =>
      staff(`POST /api/inventory/${id}/adjust`, { delta: -1, kind: 'ship' }),
    )
    const answers = await Promise.all(takes)
    const taken = answers.filter(({ status }) => status === 200).length
    const refused = answers.filter(({ status }) => status === 409).length
    const left = (await staff(`GET /api/inventory/${id}`)).json<InventoryItem>()
    outcomes.push(`${taken} taken, ${refused} refused, ${left.quantity} left, ${left.status}`)
  }
  console.info(
    `T91 100 takes of 37 pieces: ${[...new Set(outcomes)].join('; ')} in ${outcomes.length} rounds`,
  )
  expect(outcomes).toEqual(Array(ROUNDS).fill('37 taken, 63 refused, 0 left, Out of Stock'))
  expect(await wrongItems(app)).toEqual([])
})

/** Creates a small random number generator with a seed, so that a failure can be repeated. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

/**
 * Plays one client: makes random movements of random items, and sometimes undoes one of its own movements. Returns the
 * status of each response.
 */
async function wander(calls: Calls, itemIds: readonly string[], seed: number): Promise<number[]> {
  const roll = dice(seed)
  const own: string[] = []
  const statuses: number[] = []
  for (let step = 0; step < OPERATIONS / CLIENTS; step += 1) {
    const id = itemIds[roll(itemIds.length)] ?? ''
    const some = 1 + roll(9)
    const ways: (() => ReturnType<Calls>)[] = [
      () => calls(`POST /api/inventory/${id}/adjust`, { delta: some, kind: 'receive' }),
      () =>
        calls(`POST /api/inventory/${id}/adjust`, {
          delta: -some,
          kind: 'ship',
          from_reserved: roll(2) === 0,
        }),
      () => calls(`POST /api/inventory/${id}/adjust`, { delta: -some, kind: 'scrap' }),
      () => calls(`POST /api/inventory/${id}/reserve`, { quantity: some }),
      () => calls(`POST /api/inventory/${id}/release`, { quantity: some }),
      () => calls(`POST /api/inventory/${id}/move`, { location: `Rack ${roll(4)}` }),
      () => calls(`POST /api/stock-movements/${own[roll(own.length)] ?? id}/undo`),
      () => calls(`PUT /api/inventory/${id}`, { notes: `step ${step}` }),
      // Counts are rare here, because a count prevents the undo of earlier movements.
      () =>
        roll(4) === 0
          ? calls(`POST /api/inventory/${id}/count`, { quantity: roll(30) })
          : calls(`PUT /api/inventory/${id}`, { reorder_point: roll(20) }),
    ]
    const answer = await (ways[roll(ways.length)] ?? (() => calls(`GET /api/inventory/${id}`)))()
    statuses.push(answer.status)
    const { movement } = answer.status === 200 ? answer.json<Partial<MovedItem>>() : {}
    if (movement) own.push(movement.id)
  }
  return statuses
}

it(`T95 every stock figure equals the sum of its movements after ${OPERATIONS} operations by eight clients`, {
  timeout,
}, async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const staff = callsOf(app, headers)
  const items = [1, 2, 3].map(async (n) => (await addedItem(staff, { sku: `R-${n}`, quantity: 20 })).id)
  const ids = await Promise.all(items)
  const histories = await Promise.all(
    Array.from({ length: CLIENTS }, (_, client) => wander(callsOf(app, headers), ids, 42 + client)),
  )
  const statuses = histories.flat()
  const done = statuses.filter((status) => status === 200).length
  const wrong = await wrongItems(app)
  console.info(
    `T95 random history: ${done} of ${statuses.length} operations done, items with wrong sums ${wrong.length}`,
  )
  expect(wrong).toEqual([])
  expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([])
  expect(done).toBeGreaterThan(OPERATIONS / 2)
  // Each movement stores the resulting quantity. The last one must equal the item's quantity.
  const broken = await app.database.sql`
    select item_id from (
      select m.item_id, m.quantity_after, sum(m.delta) over (partition by m.item_id order by m.id) as sum
      from movements m
    ) steps where quantity_after <> sum`
  expect(broken).toEqual([])
})
