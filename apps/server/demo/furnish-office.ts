import type { IssuedApiKey } from '@pegasus/contracts/api-keys'
import type { QueuedLabel } from '@pegasus/contracts/labels/labels'
import { fromMinor } from '@pegasus/contracts/money'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { ReplenishmentProposals } from '@pegasus/contracts/print-queue/replenishment'
import { DAY_MS, HOUR_MS } from '../src/platform/clock.ts'
import { call, signedInAs } from './call.ts'
import { passwordOf } from './people.ts'
import { moveTo, type Shop } from './shop.ts'
import { DEMO_PRINTERS } from './stock/prints.ts'

/** Number of the newest labels that nobody has printed yet. */
const UNPRINTED_LABELS = 4
const NOZZLE_HOURS = 400
const GREASE_DAYS = 60
const NOZZLE = 'New nozzle'
const GREASE = 'Grease the rails'
/** The maintenance plans of each printer. */
const PLANS = [NOZZLE, GREASE] as const

/**
 * Rates of a small workshop, in minor units like all prices of the demo. Printers have their own rates per hour, see
 * `DEMO_PRINTERS`.
 */
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

/** People who only looked at the shop, and when. */
const VISITS = [
  { username: 'viewer', hoursAgo: 26 },
  { username: 'employee', hoursAgo: 3 },
] as const

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
 * proposals for tonight. Each person has signed in lately. Parts that exist are skipped. Returns false if all exist.
 */
export async function furnishOffice(shop: Shop, now: Date): Promise<boolean> {
  const hasAddedKeys = await addKeys(shop, now)
  const hasVisited = await visit(shop, now)
  moveTo(shop.clock, now)
  const hasWorked = await doOfficeWork(shop, now)
  return hasAddedKeys || hasVisited || hasWorked
}

/** Adds the missing keys. A program uses its key at once, because the secret is known only now. */
async function addKeys(shop: Shop, now: Date): Promise<boolean> {
  const rows = await shop.database.sql<{ label: string }[]>`select label from api_keys`
  const missing = KEYS.filter((key) => !rows.some(({ label }) => label === key.label))
  if (missing.length === 0) return false
  const [owner] = await shop.database.sql<[{ id: string }]>`select id from people where username = 'admin'`
  for (const { daysAgo, ...key } of missing) {
    moveTo(shop.clock, new Date(now.getTime() - daysAgo * DAY_MS))
    const secret = await addKey(shop, owner.id, key)
    if (key.label !== USED_KEY) continue
    moveTo(shop.clock, now)
    for (let nth = 0; nth < CALLS; nth += 1)
      await call(shop, { method: 'GET', url: '/api/integration/stock', headers: { 'x-api-key': secret } })
  }
  return true
}

/** Signs in the people who have never signed in. */
async function visit(shop: Shop, now: Date): Promise<boolean> {
  const strangers = await shop.database.sql<
    { username: string }[]
  >`select username from people where last_sign_in_at is null`
  const missing = VISITS.filter((visitor) => strangers.some(({ username }) => username === visitor.username))
  for (const { username, hoursAgo } of missing) {
    moveTo(shop.clock, new Date(now.getTime() - hoursAgo * HOUR_MS))
    await signIn(shop, username, async () => undefined)
  }
  return missing.length > 0
}

/** Plans maintenance, prints labels and proposes prints, unless this was done. Returns whether anything was missing. */
async function doOfficeWork(shop: Shop, now: Date): Promise<boolean> {
  const { sql } = shop.database
  const names = DEMO_PRINTERS.map(({ name }) => name)
  const [missing] = await sql<[{ plans: boolean; labels: boolean; proposals: boolean }]>`
    select exists (select from printers p where name = any(${names}) and deleted_at is null and
                     (select count(*) from maintenance_plans where printer_id = p.id) < ${PLANS.length}) as plans,
           not exists (select from labelled_things where printed_at is not null) as labels,
           not exists (select from replenishment_proposals) as proposals`
  if (!missing.plans && !missing.labels && !missing.proposals) return false
  return signIn(shop, 'staff', async (headers) => {
    if (missing.plans) await planMaintenance(shop, now, headers)
    const hasPrinted = missing.labels && (await markLabels(shop, headers))
    const hasProposed = missing.proposals && (await proposePrints(shop, headers))
    return missing.plans || hasPrinted || hasProposed
  })
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

/**
 * Plans the nozzles by hours and the grease by days, where these plans are missing. The interval of the first printer's
 * nozzle is over.
 */
async function planMaintenance(shop: Shop, now: Date, headers: { authorization: string }): Promise<void> {
  const known = await shop.database.sql<
    { printer_id: string; name: string }[]
  >`select printer_id, name from maintenance_plans`
  const all = await call<Printer[]>(shop, { method: 'GET', url: '/api/printers?sort=number', headers })
  const printers = all.filter(({ name }) => DEMO_PRINTERS.some((printer) => printer.name === name))
  for (const [index, { id, print_hours: hours, created_at: boughtAt }] of printers.entries()) {
    const boughtMs = Date.parse(boughtAt)
    const ago = (ms: number) => new Date(Math.max(boughtMs, now.getTime() - ms)).toISOString()
    const since = Math.min(hours, index === 0 ? NOZZLE_HOURS + 12 : 90 + index * 70)
    // Each day since its purchase, the printer has printed about the same number of hours.
    const sinceMs = (since / Math.max(1, hours)) * (now.getTime() - boughtMs)
    const details = {
      [NOZZLE]: {
        every_hours: NOZZLE_HOURS,
        done_at: ago(sinceMs),
        done_at_hours: Math.round(hours - since),
      },
      [GREASE]: { every_days: GREASE_DAYS, done_at: ago((12 + index * 9) * DAY_MS) },
    }
    for (const name of PLANS) {
      if (known.some((plan) => plan.printer_id === id && plan.name === name)) continue
      const payload = { name, ...details[name] }
      await call(shop, { method: 'POST', url: `/api/printers/${id}/maintenance-plans`, payload, headers })
    }
  }
}

/** Marks all labels as printed, except for the newest ones. Returns whether there were any. */
async function markLabels(shop: Shop, headers: { authorization: string }): Promise<boolean> {
  const due = await call<QueuedLabel[]>(shop, { method: 'GET', url: '/api/labels/queue?limit=500', headers })
  const labels = due.slice(UNPRINTED_LABELS).map(({ kind, id }) => ({ kind, id }))
  if (labels.length > 0)
    await call(shop, { method: 'POST', url: '/api/labels/printed', payload: { labels }, headers })
  return labels.length > 0
}

/** Proposes prints for the low items. Returns whether there are any. */
async function proposePrints(shop: Shop, headers: { authorization: string }): Promise<boolean> {
  const url = '/api/inventory/replenishment/proposals'
  const { proposals } = await call<ReplenishmentProposals>(shop, { method: 'POST', url, headers })
  return proposals.length > 0
}
