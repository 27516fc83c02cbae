import type { IssuedApiKey } from '@pegasus/contracts/api-keys'
import type { QueuedLabel } from '@pegasus/contracts/labels/labels'
import { fromMinor } from '@pegasus/contracts/money'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { DAY_MS, HOUR_MS } from '../src/platform/clock.ts'
import { call, signedInAs } from './call.ts'
import { passwordOf } from './people.ts'
import { moveTo, OPENED_MS_AGO, type Shop } from './shop.ts'

/** Number of the newest labels that nobody has printed yet. */
const UNPRINTED_LABELS = 4
const NOZZLE_HOURS = 400
const GREASE_DAYS = 60

/** Rates of a small workshop. Printers have their own rates per hour, see `DEMO_PRINTERS`. Like all prices of the demo, they are in minor units. */
const costRates = (currency: string) => ({
  material_price_per_kg: fromMinor(2600, currency),
  machine_price_per_hour: fromMinor(70, currency),
  labor_price_per_hour: fromMinor(2200, currency),
  extras_per_piece: fromMinor(45, currency),
  overhead_percent: 12,
})

/** The keys of the shop, oldest first. The third one has expired. */
const KEYS = [
  { label: 'Old shop plugin', scope: ['integration'], expires_days: null, daysAgo: 180, isDisabled: true },
  { label: 'Main shop', scope: ['integration'], expires_days: null, daysAgo: 150, isDisabled: false },
  { label: 'Trade fair tablet', scope: ['integration'], expires_days: 14, daysAgo: 40, isDisabled: false },
  { label: 'Farm agent, rack 2', scope: ['print-jobs'], expires_days: 365, daysAgo: 2, isDisabled: false },
] as const
/** The key of the shop, which asks for the stock again and again. */
const USED_KEY = 'Main shop'
const CALLS = 6

const signIn = <T>(shop: Shop, username: string, work: (headers: { authorization: string }) => Promise<T>) =>
  signedInAs(shop, { username, password: passwordOf(shop) }, work)

/** Sets the rates from which costs are calculated. Call it before the first item is added. Repeated calls change nothing. */
export async function setCostRates(shop: Shop): Promise<void> {
  await signIn(shop, 'admin', async (headers) => {
    const url = '/api/cost-settings'
    const { is_changed: isChanged } = await call<{ is_changed: boolean }>(shop, {
      method: 'GET',
      url,
      headers,
    })
    if (isChanged) return
    await call(shop, {
      method: 'PUT',
      url,
      payload: costRates(shop.currency),
      headers: { ...headers, 'if-match': '"0"' },
    })
  })
}

/**
 * Does what the office of a shop has done in its first months: keys for programs, maintenance plans, printed labels and
 * proposals for tonight. Each person has signed in lately. Returns false if all this exists already.
 */
export async function furnishOffice(shop: Shop, now: Date): Promise<boolean> {
  const known = await shop.database.sql`select 1 from api_keys limit 1`
  if (known.length > 0) return false
  const [owner] = await shop.database.sql<[{ id: string }]>`select id from people where username = 'admin'`
  let shopKey = ''
  for (const { daysAgo, ...key } of KEYS) {
    moveTo(shop.clock, new Date(now.getTime() - daysAgo * DAY_MS))
    const secret = await addKey(shop, owner.id, key)
    if (key.label === USED_KEY) shopKey = secret
  }
  moveTo(shop.clock, new Date(now.getTime() - 26 * HOUR_MS))
  await signIn(shop, 'viewer', async () => undefined)
  moveTo(shop.clock, new Date(now.getTime() - 3 * HOUR_MS))
  await signIn(shop, 'employee', async () => undefined)
  moveTo(shop.clock, now)
  for (let nth = 0; nth < CALLS; nth += 1)
    await call(shop, { method: 'GET', url: '/api/integration/stock', headers: { 'x-api-key': shopKey } })
  await signIn(shop, 'staff', async (headers) => {
    await planMaintenance(shop, now, headers)
    await markLabels(shop, headers)
    const url = '/api/inventory/replenishment/proposals'
    await call(shop, { method: 'POST', url, headers })
  })
  return true
}

/** Adds a key. Returns its secret. */
const addKey = (
  shop: Shop,
  ownerId: string,
  { isDisabled, ...key }: Omit<(typeof KEYS)[number], 'daysAgo'>,
): Promise<string> =>
  signIn(shop, 'admin', async (headers) => {
    const payload = { user_id: ownerId, ...key }
    const made = await call<IssuedApiKey>(shop, { method: 'POST', url: '/api/api-keys', payload, headers })
    if (isDisabled) await call(shop, { method: 'PUT', url: `/api/api-keys/${made.id}/disable`, headers })
    return made.key
  })

/** Plans the nozzles by hours and the grease by days. The interval of the first printer's nozzle is over. */
async function planMaintenance(shop: Shop, now: Date, headers: { authorization: string }): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const printers = await call<Printer[]>(shop, { method: 'GET', url: '/api/printers?sort=number', headers })
  for (const [index, { id, print_hours: hours }] of printers.entries()) {
    const since = Math.min(hours, index === 0 ? NOZZLE_HOURS + 12 : 90 + index * 70)
    // Each day, the printers have printed about the same number of hours.
    const days = (since / Math.max(1, hours)) * (OPENED_MS_AGO / DAY_MS)
    const nozzle = { every_hours: NOZZLE_HOURS, done_at: ago(days), done_at_hours: Math.round(hours - since) }
    const grease = { every_days: GREASE_DAYS, done_at: ago(12 + index * 9) }
    for (const payload of [
      { name: 'New nozzle', ...nozzle },
      { name: 'Grease the rails', ...grease },
    ])
      await call(shop, { method: 'POST', url: `/api/printers/${id}/maintenance-plans`, payload, headers })
  }
}

async function markLabels(shop: Shop, headers: { authorization: string }): Promise<void> {
  const due = await call<QueuedLabel[]>(shop, { method: 'GET', url: '/api/labels/queue?limit=500', headers })
  const labels = due.slice(UNPRINTED_LABELS).map(({ kind, id }) => ({ kind, id }))
  if (labels.length > 0)
    await call(shop, { method: 'POST', url: '/api/labels/printed', payload: { labels }, headers })
}
