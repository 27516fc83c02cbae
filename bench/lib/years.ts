import { openDatabase } from '../../apps/server/src/platform/database/database.ts'
import type { BulkConnection } from '../../apps/server/src/platform/database/bulk-copy.ts'
import { benchLog } from './log.ts'
import type { Scratch } from './scratch.ts'
import { type Stock, makeStock } from './stock.ts'

/** The number of rows in the two tables that grow every day: movements and audit entries. */
export interface Age {
  movements: number
  entries: number
}

/** A stock with the history of several years. */
export interface OldStock extends Stock {
  /** An item that has many movements. */
  itemId: string
  /** Size of the two tables with their indexes, in megabytes. */
  sizeMb: number
}

/** Number of rows that one statement inserts. */
const BATCH = 250_000
/** The number of items that are moved. The other items are rare parts without movements. */
const MOVING_ITEMS = 1000

/** One of the sixty accounts that appear in the audit. */
export const PERSON = '01890000-0000-7000-8000-000000000007'

/**
 * Creates a stock with its movements and audit entries. Until now, there was a movement every 30 seconds and an entry
 * every minute. So a stock with more rows is older, as in a real shop.
 */
export async function makeOldStock(
  scratch: Scratch,
  name: string,
  { movements, entries }: Age,
): Promise<OldStock> {
  const stock = await makeStock(scratch, name)
  const startedAt = performance.now()
  const database = await openDatabase({ url: stock.databaseUrl, log: benchLog, applicationName: 'bench' })
  try {
    return await database.withBulkConnection(async (connection) => {
      await connection.run(`set maintenance_work_mem = '512MB'`)
      await fillTable(connection, 'movements', movements, movementsOf(movements))
      await fillTable(connection, 'audit_entries', entries, entriesOf(entries))
      await connection.run('vacuum analyze')
      const [item] = await connection.run<{ id: string }>(
        'select item_id as id from movements order by created_at desc limit 1',
      )
      const [size] = await connection.run<{ mb: number }>(`
        select ((pg_total_relation_size('movements') + pg_total_relation_size('audit_entries')) / 1048576)::int as mb`)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
      console.log(
        `(${movements.toLocaleString('en-GB')} movements and ${entries.toLocaleString('en-GB')} audit entries were created in ${seconds} s.)`,
      )
      return { ...stock, itemId: item?.id ?? '', sizeMb: size?.mb ?? 0 }
    })
  } finally {
    await database.close()
  }
}

/**
 * Inserts rows in batches, without triggers and foreign keys, because the rows already contain what these would compute.
 * The indexes are created afterwards, because that takes less time.
 */
async function fillTable(
  connection: BulkConnection,
  table: string,
  count: number,
  statementOf: (from: number, to: number) => string,
): Promise<void> {
  const indexes = await connection.run<{ name: string; definition: string }>(`
    select c.relname as name, pg_get_indexdef(c.oid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = '${table}'::regclass and not i.indisunique`)
  const keys = await connection.run<{ name: string; definition: string }>(`
    select conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = '${table}'::regclass and contype = 'f'`)
  for (const { name } of indexes) await connection.run(`drop index ${name}`)
  for (const { name } of keys) await connection.run(`alter table ${table} drop constraint ${name}`)
  await connection.run(`alter table ${table} disable trigger user`)
  for (let from = 1; from <= count; from += BATCH)
    await connection.run(statementOf(from, Math.min(from + BATCH - 1, count)))
  for (const { definition } of indexes) await connection.run(definition)
  await connection.run(`alter table ${table} enable trigger user`)
  // Do not check the existing rows, because their orders and print jobs do not exist. New rows are checked.
  for (const { name, definition } of keys)
    await connection.run(
      `alter table ${table} add constraint ${name} ${definition.replace(/ NOT VALID$/, '')} not valid`,
    )
}

/** Returns the statement that inserts movements: sales, prints and counts. Most of them are of a few items. */
const movementsOf = (count: number) => (from: number, to: number) =>
  `
  with moving as (select array_agg(id order by created_at) as ids from (select * from items order by created_at limit ${MOVING_ITEMS}) i)
  insert into movements (id, item_id, kind, delta, quantity_after, reserved_after, reason, order_id, print_job_id,
                         actor_kind, actor_id, actor_name, created_at)
  select uuidv7((n - ${count}) * interval '30 seconds'), ids[1 + floor(${MOVING_ITEMS} * (n * 0.618034 % 1) ^ 2)],
         (array['ship', 'produce', 'count', 'adjust'])[1 + n % 4], (array[-1, 2, 0, -1])[1 + n % 4], 50, 0,
         case when n % 4 = 3 then 'a count' end, case when n % 4 = 0 then gen_random_uuid() end,
         case when n % 4 = 1 then gen_random_uuid() end, 'user', '${PERSON}', 'Person Number 7',
         now() + (n - ${count}) * interval '30 seconds'
  from generate_series(${from}::bigint, ${to}::bigint) n, moving`

/**
 * Returns the statement that inserts audit entries: of few people, one of whom does half the work, and some keys, from
 * thousands of IP addresses, with some rare actions.
 */
const entriesOf = (count: number) => (from: number, to: number) =>
  `
  insert into audit_entries (id, at, actor_kind, actor_id, actor_name, action, entity, entity_id, entity_name,
                             before, after, ip, request_id)
  select uuidv7((n - ${count}) * interval '1 minute'), now() + (n - ${count}) * interval '1 minute', kind,
         case when kind <> 'system' then ('01890000-0000-7000-8000-' || lpad(who::text, 12, '0'))::uuid end,
         case kind when 'user' then 'Person Number ' || who when 'api_key' then 'Agent ' || who else 'Pegasus Ops' end,
         action, split_part(action, '.', 1),
         case when action like 'account%' then '01890000-0000-7000-8000-' || lpad(whom::text, 12, '0')
              else gen_random_uuid()::text end,
         case when action like 'account%' then 'Person Number ' || whom end,
         '{"role": "staff"}', '{"role": "admin"}', '203.0.' || n % 16 || '.' || n * 7919 % 250, gen_random_uuid()::text
  from (
    select n, case when r < 0.004 then 'api_key' when r < 0.006 then 'system' else 'user' end as kind,
           case when s < 0.5 then 3 else (r * 59)::int end as who, (s * 59)::int as whom,
           case when s < 0.6 then 'session.opened' when s < 0.9 then 'session.ended' when s < 0.97 then 'access.refused'
                when s < 0.9995 then 'account.updated' else 'outbox.read' end as action
    from (select n, random() as r, random() as s from generate_series(${from}::bigint, ${to}::bigint) n) as dice
  ) as made`
