import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { createRandom } from '../random.ts'
import { planToday } from './today.ts'
import { openPrintRoom } from './prints.ts'
import { ordersPerHour, takeOrder } from './sales.ts'
import { stockShelf } from './shelf.ts'
import type { DemoOrder, DemoSpool, StockedItem, Step } from './steps.ts'

const SEED = 16
/** Length of the history: half a year. */
const STORY_DAYS = 183
/** Maximum number of orders that are packed in an hour. */
const PACKED_PER_HOUR = 4
const FIRST_ORDER = 412
const LATE = 0.6
const LEAVE_DAYS = 8
/** All printers were started this many hours ago, so that some are running now. */
const LAST_ROUND_HOURS = 4
const LAST_ROUND = [
  ['GEAR-PLN-PTL', 6],
  ['LOTUS-CU', 4],
  ['TOWER-CSTL', 2],
  ['CHESS-SET-B', 3],
  ['HINGE-80', 6],
] as const

/** The steps, and the stock that today's shop should have after them. */
export interface Story {
  steps: Step[]
  stock: ReadonlyMap<string, { quantity: number; reserved: number }>
  spools: readonly DemoSpool[]
  /** When each item was added, by SKU. */
  addedAt: ReadonlyMap<string, Date>
}

interface Packing {
  order: DemoOrder
  shipsAt: Date
}

/**
 * Simulates the last months of the shop, hour by hour, up to `now`. The same `now` results in the same
 * history.
 */
export function planStory(items: readonly StockedItem[], now: Date, days = STORY_DAYS): Story {
  const random = createRandom(SEED)
  const start = new Date(now.getTime() - days * DAY_MS)
  const { shelf, steps } = stockShelf(start, random)
  const room = openPrintRoom(shelf, random)
  const stock = new Map(items.map((item) => [item.sku, { quantity: item.opening, reserved: 0 }]))
  /** When each item was added: at the beginning, or some hours after its model. */
  const addedAt = new Map(
    items.map((item) => {
      const from = Math.max(start.getTime(), item.modelAt.getTime())
      return [item.sku, new Date(from + random.between(4, 9) * HOUR_MS)]
    }),
  )
  const onSale = (at: Date) =>
    items.filter((item) => item.demand > 0 && at.getTime() - addedAt.get(item.sku)!.getTime() > 2 * HOUR_MS)
  const pending: DemoOrder[] = []
  let packing: Packing[] = []
  let serial = FIRST_ORDER

  for (const item of items) steps.push({ at: addedAt.get(item.sku)!, by: 'admin', do: 'keep item', item })

  const free = (sku: string) => stock.get(sku)!.quantity - stock.get(sku)!.reserved
  const reserve = (order: DemoOrder, at: Date) => {
    for (const { item, quantity } of order.lines) {
      stock.get(item.sku)!.reserved += quantity
      steps.push({
        at,
        by: 'employee',
        do: 'move',
        sku: item.sku,
        kind: 'reserve',
        delta: 0,
        reservedDelta: quantity,
        orderNumber: order.number,
        reason: null,
      })
    }
  }

  const pack = (at: Date) => {
    const isReady = (order: DemoOrder, index: number) => {
      const earlier = pending.slice(0, index).flatMap(({ lines }) => lines)
      // An older order gets its pieces first, otherwise a large order would wait for ever.
      const claimed = (sku: string) =>
        earlier.reduce((sum, line) => sum + (line.item.sku === sku ? line.quantity : 0), 0)
      return (
        at.getTime() - order.placedAt.getTime() > 2 * HOUR_MS &&
        order.lines.every(({ item: { sku }, quantity }) => free(sku) - claimed(sku) >= quantity)
      )
    }
    for (let packed = 0; packed < PACKED_PER_HOUR; packed += 1) {
      const index = pending.findIndex(isReady)
      const [order] = index < 0 ? [] : pending.splice(index, 1)
      if (!order) return
      order.status = 'in_progress'
      reserve(order, at)
      packing.push({ order, shipsAt: new Date(at.getTime() + random.between(3, 20) * HOUR_MS) })
    }
  }

  const ship = (at: Date) => {
    for (const { order } of packing.filter(({ shipsAt }) => shipsAt <= at)) {
      order.status = 'completed'
      for (const { item, quantity } of order.lines) {
        stock.get(item.sku)!.quantity -= quantity
        stock.get(item.sku)!.reserved -= quantity
      }
      steps.push({ at, by: 'employee', do: 'ship order', order })
    }
    packing = packing.filter(({ shipsAt }) => shipsAt > at)
  }

  // Every fourth item waits for its restock, so that a visitor of the demo finds some work to do.
  const isForgotten = (item: StockedItem, at: Date) =>
    items.indexOf(item) % 4 === 0 && now.getTime() - at.getTime() < LEAVE_DAYS * DAY_MS

  const owedOf = (item: StockedItem) =>
    pending
      .flatMap(({ lines }) => lines)
      .reduce((sum, line) => sum + (line.item === item ? line.quantity : 0), 0)
  /** A discontinued item is sold until the last piece. */
  const leftOf = (item: StockedItem) =>
    item.isRestocked ? Number.POSITIVE_INFINITY : Math.max(0, free(item.sku) - owedOf(item))

  const restock = (at: Date) => {
    for (const item of onSale(at).filter((each) => each.isRestocked && !isForgotten(each, at))) {
      const owed = owedOf(item)
      const coming = room.piecesComing(item.sku)
      const level = free(item.sku) - owed + coming
      // People notice low stock late, so some items are low.
      if (level > LATE * item.reorderPoint || coming > 0.6 * item.maxStock) continue
      const missing = Math.ceil(0.62 * item.maxStock) - level
      const urgent = pending.find(({ lines }) => lines.some((line) => line.item === item))
      const more =
        owed > 0 && urgent
          ? { priority: urgent.dueAt ? 1 : 2, orderNumber: urgent.number, dueAt: urgent.dueAt }
          : {}
      steps.push(...room.queue(item, missing, more, at))
    }
  }

  const count = (at: Date) => {
    const item = random.pick(onSale(at))
    const level = stock.get(item.sku)!
    const missing = random.isLucky(0.3) && free(item.sku) > 1 ? 1 : 0
    level.quantity -= missing
    steps.push({ at, by: 'staff', do: 'count', sku: item.sku, quantity: level.quantity })
  }

  const hours = days * 24
  for (let hour = 12; hour <= hours; hour += 1) {
    const at = new Date(start.getTime() + hour * HOUR_MS)
    const isWork = at.getUTCHours() >= 7 && at.getUTCHours() < 18 && at.getUTCDay() !== 0
    const { steps: printed, made } = room.work(at)
    steps.push(...printed)
    for (const { item, pieces } of made) stock.get(item.sku)!.quantity += pieces
    for (let due = ordersPerHour(at, hour / hours); due > 0; due -= 1) {
      const offered = onSale(at).filter((item) => leftOf(item) > 0)
      if (offered.length === 0 || !random.isLucky(Math.min(1, due))) continue
      const placedAt = new Date(at.getTime() - random.between(0, 59) * MINUTE_MS)
      const order = takeOrder(placedAt, (serial += 1), offered, random, leftOf)
      steps.push({ at: placedAt, by: 'system', do: 'take order', order })
      if (order.status === 'pending') pending.push(order)
    }
    if (hour === hours - LAST_ROUND_HOURS)
      for (const item of items)
        for (const [sku, pieces] of LAST_ROUND)
          if (item.sku === sku) steps.push(...room.queue(item, pieces, { priority: 2 }, at))
    if (!isWork) continue
    ship(at)
    pack(at)
    restock(at)
    if (at.getUTCHours() === 9) steps.push(...shelf.tidy(at, room.loadedSpools()))
    if (at.getUTCHours() === 16) count(at)
  }
  room.look(now)
  steps.push(...planToday({ items, stock, shelf, now }))
  return {
    steps: steps.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    stock,
    spools: shelf.spools,
    addedAt,
  }
}
