import { type NewSpool, createSpool, takeFilament } from '../../src/modules/filament/index.ts'
import { type NewMovement, moveStock } from '../../src/modules/inventory/index.ts'
import { type NewOrder, createOrder } from '../../src/modules/orders/index.ts'
import {
  type JobStep,
  type NewPrintJob,
  advancePrintJob,
  createPrintJob,
  ensurePrinter,
} from '../../src/modules/print-queue/index.ts'
import { type NewProduct, createProduct } from '../../src/modules/products/index.ts'
import { type AuditContext, SYSTEM_ACTOR } from '../../src/platform/actor.ts'
import type { Queryable } from '../../src/platform/database/database.ts'
import { toAppError } from '../../src/platform/errors/to-app-error.ts'
import type { TestApp } from './build-test-app.ts'
import { type NewItem, createTestItem } from './create-test-item.ts'

type Work<T> = (tx: Queryable, by: AuditContext) => Promise<T>

/**
 * Runs `work` in its own transaction, at the app's time or at a given time. Tests then create rows with the functions
 * of the modules.
 */
const inShop = <T>(app: TestApp, work: Work<T>, now = app.clock.now()): Promise<T> =>
  app.database.transaction((tx) => work(tx, { actor: SYSTEM_ACTOR, now }))

export const anItem = (app: TestApp, item: Partial<NewItem> = {}, now?: Date): Promise<string> =>
  inShop(app, (tx, by) => createTestItem(tx, { name: 'Wall hook', quantity: 10, ...item }, by), now)

export const aMovement = (app: TestApp, movement: NewMovement, now?: Date) =>
  inShop(app, (tx, by) => moveStock(tx, movement, by), now)

export const aSpool = async (app: TestApp, spool: Partial<NewSpool> = {}): Promise<string> => {
  const defaults = { material: 'PLA', brand: 'Polymaker', name: 'PolyLite', color: 'Bone White' }
  return (await inShop(app, (tx, by) => createSpool(tx, { ...defaults, ...spool }, by))).id
}

export const takeFromSpool = (app: TestApp, spoolId: string, grams: number): Promise<number> =>
  inShop(app, async (tx, by) => (await takeFilament(tx, { spoolId, grams }, by)).left)

export const anOrder = (app: TestApp, order: Partial<NewOrder> = {}): Promise<string> => {
  const defaults = { customerName: 'Keisuke Yamanaka', totalMinor: 4635, currency: 'USD', source: 'manual' }
  return inShop(app, (tx, by) => createOrder(tx, { ...defaults, lines: [], ...order }, by))
}

export const aPrintJob = (app: TestApp, job: Partial<NewPrintJob> = {}): Promise<string> =>
  inShop(app, async (tx, by) => {
    const itemId = job.itemId ?? (job.stlFileId ? null : await createTestItem(tx, { name: 'Gear' }, by))
    return createPrintJob(tx, { quantity: 1, ...job, itemId }, by)
  })

export const advance = (app: TestApp, jobId: string, step: JobStep, now?: Date): Promise<void> =>
  inShop(app, (tx, by) => advancePrintJob(tx, jobId, step, by), now)

export const aPrinter = (app: TestApp, name: string): Promise<string> =>
  inShop(app, (tx, by) => ensurePrinter(tx, { name, model: 'Prusa MK4' }, by.now))

let slugs = 0
export const aProduct = (app: TestApp, product: Partial<NewProduct> = {}): Promise<string> => {
  slugs += 1
  const defaults = {
    name: 'Dragon',
    slug: `dragon-${slugs}`,
    category: 'miniatures' as const,
    priceMinor: 1999,
    stock: 3,
    description: 'Breathes fire',
  }
  return inShop(app, (tx, by) => createProduct(tx, { ...defaults, ...product }, by))
}

/** Returns the error code that a client would get from `work`, or null if `work` succeeds. */
export const refusalOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: unknown) => toAppError(error).code,
  )

/** Returns all rows of a list by following the links to its next pages, and the total from the first page. */
export async function allPages<T>(
  app: TestApp,
  headers: Record<string, string>,
  url: string,
): Promise<{ items: T[]; total: string }> {
  const items: T[] = []
  let total = ''
  for (let next: string | undefined = url; next; ) {
    const page: Awaited<ReturnType<TestApp['http']['inject']>> = await app.http.inject({ url: next, headers })
    if (page.statusCode !== 200) throw new Error(`${next}: ${page.statusCode} ${page.body}`)
    total ||= String(page.headers['x-total-count'])
    items.push(...page.json<T[]>())
    next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
  }
  return { items, total }
}
