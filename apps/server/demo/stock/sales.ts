import { DAY_MS } from '../../src/platform/clock.ts'
import type { Random } from '../random.ts'
import { DEMO_CUSTOMERS, type DemoCustomer } from './customers.ts'
import type { DemoOrder, StockedItem } from './steps.ts'

const FREE_SHIPPING_FROM_MINOR = 6000
const SHIPPING_MINOR = 490
const BULK_FROM = 10
const BULK_SHARE = 0.88
const CANCELLED_SHARE = 0.035

/** Regular customers order this many times as often as others. */
const REGULAR_WEIGHT = 5
/** The carriers with the beginnings of their tracking numbers. */
const CARRIERS = [
  ['DHL', '00340434'],
  ['DPD', '01596802'],
  ['UPS', '1Z8R47'],
] as const
/** Postage by the value of the goods, because heavy parcels are the expensive ones. */
const POSTAGE = [
  { below: 2500, minor: 390 },
  { below: 9000, minor: 545 },
  { below: Number.POSITIVE_INFINITY, minor: 890 },
] as const

const NOTES = [
  'Gift, please no invoice in the parcel',
  'Leave with the neighbor on the ground floor',
  'Matching colors in one order, please',
  'VAT number on the invoice: see last order',
  'Needed for a fair, please confirm the date',
] as const

/**
 * Returns the average number of orders per hour. It grows over the months, and is higher in the evening and
 * on weekends.
 */
export function ordersPerHour(at: Date, shareOfStory: number): number {
  const perDay = 1.3 + 7.6 * shareOfStory ** 1.7
  const weekday = [1.45, 0.9, 0.85, 0.9, 1, 1.05, 1.4][at.getUTCDay()]!
  const hour = at.getUTCHours()
  const daytime = hour < 6 ? 0.15 : hour < 17 ? 1.1 : hour < 22 ? 2 : 0.7
  return (perDay * weekday * daytime) / 24
}

const BUSINESSES = DEMO_CUSTOMERS.filter(({ isBusiness }) => isBusiness)
const PEOPLE = DEMO_CUSTOMERS.filter(({ isBusiness }) => !isBusiness)
const weightOf = ({ isRegular }: DemoCustomer): number => (isRegular ? REGULAR_WEIGHT : 1)

/** Creates a new order. The simulation decides later when it is shipped. */
export function takeOrder(
  at: Date,
  serial: number,
  items: readonly StockedItem[],
  random: Random,
  leftOf: (item: StockedItem) => number,
): DemoOrder {
  const isBusiness = random.isLucky(0.11)
  const customer = random.weighted(isBusiness ? BUSINESSES : PEOPLE, weightOf)
  const wanted = random.whole(1, isBusiness ? 2 : 3)
  const chosen = new Set(Array.from({ length: wanted }, () => random.weighted(items, (item) => item.demand)))
  const lines = [...chosen].map((item) => {
    const most = Math.max(BULK_FROM, Math.floor(item.maxStock / 3))
    const asked = isBusiness ? random.whole(4, most) : random.weighted([1, 1, 1, 2, 3, 4], (n) => 5 - n)
    const quantity = Math.min(asked, leftOf(item))
    const isBulk = quantity >= BULK_FROM
    return { item, quantity, unitPriceMinor: Math.round(item.priceMinor * (isBulk ? BULK_SHARE : 1)) }
  })
  const goods = lines.reduce((sum, line) => sum + line.quantity * line.unitPriceMinor, 0)
  const date = at.toISOString().slice(0, 10).replaceAll('-', '')
  const shippingMinor = goods >= FREE_SHIPPING_FROM_MINOR ? 0 : SHIPPING_MINOR
  const [carrier, prefix] = random.pick(CARRIERS)
  return {
    number: `PO-${date}-${String(serial).padStart(4, '0')}`,
    customer,
    placedAt: at,
    status: random.isLucky(CANCELLED_SHARE) ? 'cancelled' : 'pending',
    dueAt: isBusiness ? new Date(at.getTime() + random.whole(3, 10) * DAY_MS) : null,
    notes: random.isLucky(0.08) ? random.pick(NOTES) : null,
    totalMinor: goods + shippingMinor,
    shippingMinor,
    postageMinor: POSTAGE.find(({ below }) => goods < below)?.minor ?? 0,
    carrier,
    trackingNumber: `${prefix}${random.whole(10_000_000, 99_999_999)}`,
    lines,
  }
}
