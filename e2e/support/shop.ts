import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSpool } from '../../apps/server/src/modules/filament/index.ts'
import { moveStock } from '../../apps/server/src/modules/inventory/index.ts'
import { createTestItem } from '../../apps/server/test/support/create-test-item.ts'
import { createOrder } from '../../apps/server/src/modules/orders/index.ts'
import {
  advancePrintJob,
  createPrintJob,
  ensurePrinter,
} from '../../apps/server/src/modules/print-queue/index.ts'
import { SYSTEM_ACTOR } from '../../apps/server/src/platform/actor.ts'
import {
  type Database,
  openDatabase,
  type TransactionSql,
} from '../../apps/server/src/platform/database/database.ts'
import { makeFolder, type Product, startProduct } from './harness.ts'

const ignore = () => undefined
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

export interface Shop {
  product: Product
  /** The server's own database, for data that no API call can create. A change in it sends events as usual. */
  database: Database
  close(): Promise<void>
}

/** Starts a new, empty product. */
export async function openShop(env: Record<string, string> = {}): Promise<Shop> {
  const folder = makeFolder('pegasus-shop-')
  const dataDir = join(folder, 'data')
  const product = await startProduct({ DATA_DIR: dataDir, ...env })
  const database = await openDatabase({ connection: connectionOf(dataDir), log, applicationName: 'e2e' })
  return {
    product,
    database,
    async close() {
      await database.close()
      await product.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Reads the address of the embedded database from PostgreSQL's pid file. */
function connectionOf(dataDir: string) {
  const [, , , port, host] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  if (!host) throw new Error('the built-in database does not say where it listens')
  const password = readFileSync(join(dataDir, 'secrets', 'postgres-password'), 'utf8').trim()
  return { host, port: Number(port), user: 'pegasus', password, database: 'pegasus' }
}

const HOUR_MS = 60 * 60_000

/** Adds the data of a day's work: stock, some of it low, spools, orders, and a queue with one running job. */
export async function fillShop({ database }: Shop, options: { stlFileId: string }): Promise<void> {
  const now = new Date()
  const inShop = <T>(
    work: (tx: TransactionSql, by: { actor: typeof SYSTEM_ACTOR; now: Date }) => Promise<T>,
  ) => database.transaction((tx) => work(tx, { actor: SYSTEM_ACTOR, now }))
  const { stlFileId } = options

  const hook = await inShop((tx, by) =>
    createTestItem(
      tx,
      {
        name: 'Wall hook, left-hand mirror, reinforced for the heaviest of all coats (rev. C)',
        sku: 'HOOK-1',
        stl_file_id: stlFileId,
        quantity: 3,
        reorder_point: 5,
        max_stock: 40,
        location: 'Rack A3',
        bin_location: 'Bin 04',
        material_used: 'PETG',
        color: 'Signal Orange',
        color_hex: '#E8641B',
        selling_price_minor: 1850,
        weight_grams: 31,
      },
      by,
    ),
  )
  const cube = await inShop((tx, by) =>
    createTestItem(
      tx,
      {
        name: 'حامل كاميرا قابل للتعديل',
        sku: 'CUBE-1',
        stl_file_id: stlFileId,
        quantity: 120,
        color: 'Traffic Grey',
        color_hex: '#8F9695',
      },
      by,
    ),
  )
  await inShop((tx, by) => moveStock(tx, { itemId: cube, kind: 'reserve', reservedDelta: 20 }, by))

  const spool = { brand: 'Prusament', name: 'PETG', color: 'Signal Orange', colorHex: '#E8641B' }
  await inShop((tx, by) => createSpool(tx, { ...spool, material: 'PETG', remainingGrams: 84 }, by))
  await inShop((tx, by) => createSpool(tx, { ...spool, material: 'ASA', color: 'Traffic Grey' }, by))

  for (const [index, status] of (['pending', 'in_progress', 'completed', 'cancelled'] as const).entries())
    await inShop((tx, by) =>
      createOrder(
        tx,
        {
          orderNumber: `PO-00${index + 1}`,
          customerName:
            ['Keisuke Yamanaka', 'Ó Súilleabháin & Daughters', 'محمد العلي', 'J. D.'][index] ?? '',
          status,
          totalMinor: 4635 * (index + 1),
          currency: 'USD',
          source: 'main_site',
          placedAt: new Date(now.getTime() - (index + 1) * HOUR_MS),
          lines: [
            { sku: index === 2 ? 'UNKNOWN' : 'CUBE-1', name: 'Cube', quantity: 2, unitPriceMinor: 300 },
          ],
        },
        by,
      ),
    )

  const printerId = await inShop((tx) => ensurePrinter(tx, { name: 'Prusa MK4 · 02' }, now))
  const running = await inShop((tx, by) =>
    createPrintJob(
      tx,
      {
        itemId: hook,
        quantity: 6,
        priority: 1,
        material: 'PETG',
        color: 'Signal Orange',
        estimatedMinutes: 90,
      },
      by,
    ),
  )
  await inShop((tx, by) => advancePrintJob(tx, running, { to: 'in_progress', progress: 0.62, printerId }, by))
  await inShop((tx, by) =>
    createPrintJob(
      tx,
      { itemId: cube, quantity: 40, priority: 5, material: 'ASA', estimatedGrams: 3000 },
      by,
    ),
  )
}
