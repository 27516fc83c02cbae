import { openDatabase } from '../../apps/server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded/embedded-postgres.ts'
import { makeFloorItems } from '../servers/floor-tables.ts'
import { VOCABULARY } from './library-data.ts'
import { benchLog } from './log.ts'
import type { Scratch } from './scratch.ts'
import { startProductProcess } from './server-process.ts'
import { ITEM_COUNT } from './settings.ts'

/** A database with items. It is deleted when the run ends. */
export interface Stock {
  /** Address of the database, for the measured processes. */
  databaseUrl: string
  accountId: string
  /** The data folder of servers that use this database. */
  productFolder: string
}

/**
 * Creates a database with 100,000 items in 400 locations, for one subject of the bench. Some words are frequent in
 * their names, and others rare, as in natural language.
 */
export async function makeStock(scratch: Scratch, subject = 'stock'): Promise<Stock> {
  const startedAt = performance.now()
  const postgres = await startEmbeddedPostgres({
    dataDir: `${scratch.folder}/stock-of-${subject}`,
    log: benchLog,
  })
  scratch.onEnd(() => postgres.stop())
  const productFolder = `${scratch.folder}/product-of-${subject}`
  const { host, port, user, password, database: name } = postgres.connection
  const databaseUrl = `postgres://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
  const database = await openDatabase({ url: databaseUrl, log: benchLog, applicationName: 'bench' })
  // The server itself creates the tables and the account.
  await (await startProductProcess(scratch, productFolder, { DATABASE_URL: databaseUrl })).stop()
  await database.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      insert into locations (id, kind, name, path, created_at, updated_at)
      select gen_random_uuid(), 'place', 'Shelf ' || n, 'Shelf ' || n, now(), now() from generate_series(1, 400) n`
    // The items get no movements, so disable the trigger that would refuse quantities without movements.
    await tx`alter table items disable trigger items_quantity_guard`
    await tx`
      with words as (select ${[...VOCABULARY]}::text[] as list),
           places as (select array_agg(id) as ids from locations)
      insert into items (id, name, sku, quantity, reorder_point, max_stock, location_id, material_used, color,
                         selling_price_minor, created_at, updated_at)
      select gen_random_uuid(),
             concat_ws(' ', list[1 + floor(4000 * (n * 0.618034 % 1) ^ 3)], list[1 + floor(4000 * (n * 0.414214 % 1) ^ 3)],
                       list[1 + floor(4000 * (n * 0.732051 % 1) ^ 3)]),
             'SKU-' || n, n % 97, 5, 100, ids[1 + n % 400], (array['PLA', 'PETG', 'ASA'])[1 + n % 3],
             (array['Black', 'White', 'Red', 'Orange', 'Blue'])[1 + n % 5], 100 + n % 5000,
             timestamptz '2026-01-01' + n * interval '2 minutes', timestamptz '2026-01-01' + n * interval '2 minutes'
      from generate_series(1, ${ITEM_COUNT}) n, words, places`
    // A table cannot be altered while it has deferred triggers that have not run, such as those of the search.
    await tx`set constraints all immediate`
    await tx`alter table items enable trigger items_quantity_guard`
  })
  await makeFloorItems(database.sql)
  await database.sql`vacuum analyze`
  const [owner] = await database.sql<[{ id: string }]>`select id from accounts`
  await database.close()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`\n(A stock of ${ITEM_COUNT.toLocaleString('en-GB')} items was created in ${seconds} s.)`)
  return { databaseUrl, accountId: owner.id, productFolder }
}
