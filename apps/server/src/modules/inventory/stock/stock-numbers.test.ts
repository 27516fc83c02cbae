import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { currencyDecimals, fromMinor, toMinor } from '@pegasus/contracts/money'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { isLongRun } from '../../../../test/process/product-process.ts'
import { addedItem, callsOf } from '../../../../test/support/api-calls.ts'
import { divideRounded, hundredths } from '../costs/fixed-point.ts'

const CREATES = 200
const EDITS = isLongRun ? 1000 : 100
const SUMS = isLongRun ? 1_000_000 : 20_000

it('T96 200 items that are added in parallel get different SKUs and label codes', async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  const answers = await Promise.all(
    Array.from({ length: CREATES }, (_, at) => staff('POST /api/inventory', { name: `Item ${at}` })),
  )
  const items = answers.filter(({ status }) => status === 201).map((answer) => answer.json<InventoryItem>())
  const doubles = (of: (item: InventoryItem) => string) => items.length - new Set(items.map(of)).size
  const [skus, codes] = [doubles((item) => item.sku), doubles((item) => item.label_code)]
  console.info(`T96 of ${items.length} items: SKUs twice ${skus}, label codes twice ${codes}`)
  expect([items.length, skus, codes]).toEqual([CREATES, 0, 0])
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => staff('POST /api/inventory', { name: 'Same', sku: 'SAME' })),
  )
  expect(taken.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(taken.filter(({ status }) => status === 409)).toHaveLength(19)
})

it(`T94 two people who read before they write lose none of ${EDITS} edits`, async () => {
  const app = await buildTestApp()
  const [ann, ben] = [callsOf(app, await app.as('staff')), callsOf(app, await app.as('admin'))]
  const { id } = await addedItem(ann, { reorder_point: 0 })
  let stale = 0
  /** Reads a value, adds one, and writes it. Starts again if somebody else has changed the value in between. */
  const edit = async (person: typeof ann): Promise<void> => {
    const read = await person(`GET /api/inventory/${id}`)
    const next = { reorder_point: read.json<InventoryItem>().reorder_point + 1 }
    const answer = await person(`PUT /api/inventory/${id}`, next, { 'if-match': read.etag ?? '' })
    if (answer.status === 200) return
    expect(answer.status).toBe(412)
    stale += 1
    await edit(person)
  }
  const work = async (person: typeof ann) => {
    for (let n = 0; n < EDITS / 2; n += 1) await edit(person)
  }
  await Promise.all([work(ann), work(ben)])
  const lost = EDITS - (await ann(`GET /api/inventory/${id}`)).json<InventoryItem>().reorder_point
  console.info(`T94 edits lost ${lost} of ${EDITS}; ${stale} were told that somebody was quicker`)
  expect(lost).toBe(0)
  expect(stale).toBeGreaterThan(0)
})

it(`T96 conversions and percentage shares of ${SUMS} amounts are always exact to the minor unit`, () => {
  let [wrong, cases] = [0, 0]
  for (const currency of ['USD', 'JPY', 'KWD'])
    for (let n = 0; n < SUMS / 3; n += 1) {
      const minor = Math.floor(Math.random() * 10 ** (1 + (n % 11)))
      const percent = Math.floor(Math.random() * 10_000) / 100
      // The amount is written as text, so that the test does not use the arithmetic that it checks.
      const digits = String(minor).padStart(currencyDecimals(currency) + 1, '0')
      const point = digits.length - currencyDecimals(currency)
      const written = Number(`${digits.slice(0, point)}.${digits.slice(point)}`)
      const share = divideRounded(BigInt(minor) * hundredths(percent), 10_000n)
      const twentyThousandths = 2n * BigInt(minor) * BigInt(Math.round(percent * 100)) + 10_000n
      const isRight =
        toMinor(written, currency) === minor &&
        fromMinor(minor, currency) === written &&
        share === twentyThousandths / 20_000n
      if (!isRight) wrong += 1
      cases += 1
    }
  console.info(`T96 amounts off by a minor unit ${wrong} of ${cases}`)
  expect(wrong).toBe(0)
})
