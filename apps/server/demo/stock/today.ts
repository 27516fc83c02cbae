import { DAY_MS, HOUR_MS } from '../../src/platform/clock.ts'
import type { Shelf } from './shelf.ts'
import type { DemoJob, StockedItem, Step } from './steps.ts'

interface Shop {
  items: readonly StockedItem[]
  stock: ReadonlyMap<string, { quantity: number; reserved: number }>
  shelf: Shelf
  now: Date
}

interface JobsOfItem {
  sku: string
  quantity: number
  priority: number
  hoursAgo: number
  dueInDays?: number
  notes?: string
}

/** Filament that is used by hand, for prototypes and repairs. */
const BY_HAND = [
  ['lilac-1', 410, 60, 'Prototypes for the toy fair'],
  ['lilac-1', 328, 12, 'Octopus for the window'],
  ['tpu-1', 330, 48, 'Feet for the workbench'],
  ['tpu-1', 290, 20, 'Cable combs for ourselves'],
  ['pp-1', 450, 55, 'Funnels, trial of two nozzles'],
  ['pp-1', 300, 9, 'Hinges for the container lids'],
] as const

/** Plans special cases: reservations, filament used by hand, and held and cancelled prints. */
export function planToday({ items, stock, shelf, now }: Shop): Step[] {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)

  const promised = items
    .filter(({ heldStatus }) => heldStatus === 'Reserved')
    .map((item): Step => {
      stock.get(item.sku)!.reserved += 4
      const reason = 'Promised to the trade fair stand'
      const move = {
        do: 'move',
        sku: item.sku,
        kind: 'reserve',
        delta: 0,
        reservedDelta: 4,
        orderNumber: null,
      } as const
      return { at: ago(50), by: 'admin', ...move, reason }
    })

  const byHand = BY_HAND.flatMap(([spoolKey, grams, days, reason]): Step[] => {
    const spool = shelf.spools.find(({ key }) => key === spoolKey)
    const at = ago(days * (DAY_MS / HOUR_MS))
    if (!spool || at < spool.arrivedAt) return []
    return [{ at, by: 'admin', do: 'use filament', spoolKey, grams: shelf.take(spool, grams, at), reason }]
  })

  const queue = ({
    sku,
    quantity,
    priority,
    hoursAgo,
    ...more
  }: JobsOfItem): { job: DemoJob; step: Step }[] =>
    items
      .filter((item) => item.sku === sku)
      .map((item) => {
        const dueAt = more.dueInDays === undefined ? null : new Date(now.getTime() + more.dueInDays * DAY_MS)
        const notes = more.notes ?? null
        const job = {
          key: `X-${sku}`,
          item,
          quantity,
          priority,
          orderNumber: null,
          dueAt,
          notes,
          progress: 0,
        }
        return { job, step: { at: ago(hoursAgo), by: 'staff', do: 'queue print', job } }
      })

  // The market is on the next Saturday.
  const market = { dueInDays: (6 - now.getUTCDay() + 7) % 7 || 7, notes: 'For Saturday’s market' }
  const waiting = [
    { ...market, sku: 'TOWER-CSTL', quantity: 3, priority: 1, hoursAgo: 5 },
    { sku: 'LAMP-PLT-27', quantity: 3, priority: 2, hoursAgo: 9, dueInDays: 5 },
    { sku: 'GEAR-PLN-ORG', quantity: 4, priority: 3, hoursAgo: 7, dueInDays: 8 },
    { sku: 'COMB-CBL-7', quantity: 30, priority: 4, hoursAgo: 20, notes: 'Needs a new spool of Filaflex' },
  ].flatMap(queue)
  const held = queue({ sku: 'BRG-608', quantity: 12, priority: 2, hoursAgo: 30 })
  const unwanted = queue({ sku: 'KNOT-TREF', quantity: 2, priority: 5, hoursAgo: 44 })
  const later = (jobs: typeof held, hoursAgo: number, what: 'hold print' | 'cancel print', reason: string) =>
    jobs.map(({ job }): Step => ({ at: ago(hoursAgo), by: 'employee', do: what, job, reason }))

  return [
    ...promised,
    ...byHand,
    ...[...waiting, ...held, ...unwanted].map(({ step }) => step),
    ...later(held, 28, 'hold print', 'Races 0.2 mm tight: waits for a new profile'),
    ...later(unwanted, 41, 'cancel print', 'The order was cancelled'),
  ]
}
