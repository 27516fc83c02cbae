import type { ActorColumns } from '../../../platform/actor.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Insert, Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'
import { countUpToCap, newestFirst } from '../../../platform/database/list-queries.ts'
import type { PageRequest } from '../../../platform/http/paging.ts'

export interface MovementRow
  extends ActorColumns,
    Row<
      'movements',
      | 'id'
      | 'item_id'
      | 'kind'
      | 'delta'
      | 'reserved_delta'
      | 'quantity_after'
      | 'reserved_after'
      | 'from_location_id'
      | 'to_location_id'
      | 'reason'
      | 'order_id'
      | 'order_line_id'
      | 'print_job_id'
      | 'undoes_id'
      | 'created_at'
    > {
  from_location: string | null
  to_location: string | null
  order_number: string | null
  job_code: string | null
  undone_by_id: string | null
}

/** Selects movements `m` with their locations, the names of their documents, and the movements that undid them. */
const selectMovement = (sql: Queryable) => sql`
  select m.id, m.item_id, m.kind, m.delta, m.reserved_delta, m.quantity_after, m.reserved_after,
         m.from_location_id, m.to_location_id, f.path as from_location, t.path as to_location, m.reason, m.order_id,
         m.order_line_id, m.print_job_id, o.order_number, j.label_code as job_code, m.undoes_id, u.id as undone_by_id, m.actor_kind, m.actor_id, m.actor_name, m.created_at
  from movements m
  left join locations f on f.id = m.from_location_id
  left join locations t on t.id = m.to_location_id
  left join placed_orders o on o.id = m.order_id
  left join print_job_labels j on j.id = m.print_job_id
  left join movements u on u.undoes_id = m.id`

export const findMovement = (sql: Queryable, id: string) =>
  firstRow(sql<MovementRow[]>`${selectMovement(sql)} where m.id = ${id}`)

/** Finds the movement that brought the pieces of a plate into stock. Returns null if there is none. */
export async function findProduction(sql: Queryable, plateId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from movements
    where coalesce(plate_id, print_job_id) = ${plateId} and kind = 'produce' and print_job_id is not null`
  return row?.id ?? null
}

/**
 * Returns the times of the item's last count and last move after this movement. A time is null if there was none.
 * Movements that were undone do not count.
 */
export async function readLater(
  sql: Queryable,
  { id, item_id: itemId, created_at: createdAt }: MovementRow,
): Promise<{ counted_at: string | null; moved_at: string | null }> {
  const [row] = await sql<[{ counted_at: string | null; moved_at: string | null }]>`
    select max(m.created_at) filter (where m.kind = 'count') as counted_at,
           max(m.created_at) filter (where m.kind = 'move') as moved_at
    from movements m left join movements u on u.undoes_id = m.id
    where m.item_id = ${itemId} and (m.created_at, m.id) > (${createdAt}::timestamptz, ${id}::uuid)
      -- An undone movement, and the one that undid it, no longer count.
      and u.id is null and m.undoes_id is null`
  return row
}

export const listMovements = (sql: Queryable, itemId: string, page: PageRequest): Promise<MovementRow[]> =>
  sql<MovementRow[]>`
    ${selectMovement(sql)}
    where m.item_id = ${itemId}
      ${newestFirst(sql, page, sql`m.created_at`, sql`m.id`)}`

export const countMovements = (sql: Queryable, itemId: string): Promise<number> =>
  countUpToCap(sql, sql`select 1 from movements where item_id = ${itemId}`)

/** Writes a movement and returns the item's new quantities, which a trigger updates. */
export async function insertMovement(
  tx: Queryable,
  movement: Insert<'movements'>,
): Promise<{ quantity: number; reserved: number }> {
  const [row] = await tx<[{ quantity: number; reserved: number }]>`
    ${insertInto(tx, 'movements', movement)}
    returning quantity_after as quantity, reserved_after as reserved`
  return row
}

/** A movement with its resulting quantities. */
export type CountedMovement = Insert<'movements'> & { quantity_after: number; reserved_after: number }

/** Maximum number of movements in one statement. A statement has a limited number of parameters. */
const MAX_INSERTED = 1000

/**
 * Writes many movements with few statements. A trigger updates each item once for each statement. The caller must hold
 * locks on the items. The database refuses movements whose quantities do not follow from each other and from the
 * quantities of the item.
 */
export async function insertMovements(tx: Queryable, movements: readonly CountedMovement[]): Promise<void> {
  for (let from = 0, end = 0; from < movements.length; from = end) {
    end = from + MAX_INSERTED
    // A return and its scrapping are written in one statement. In two, the quantity would rise and fall again, which
    // could report the item as low again.
    if (movements[end - 1]?.kind === 'return' && movements[end]?.kind === 'scrap') end += 1
    await tx`${insertInto(tx, 'movements', movements.slice(from, end))}`
  }
}

/** The quantities and the location of an item. */
export type StockOfItem = Row<'items', 'quantity' | 'reserved_quantity' | 'location_id'>

/**
 * Locks an item against other movements until the transaction ends. Returns null if it does not exist or is deleted.
 */
export async function lockItem(tx: Queryable, id: string): Promise<StockOfItem | null> {
  const [row] = await tx<StockOfItem[]>`
    select quantity, reserved_quantity, location_id from items where id = ${id} and deleted_at is null for update`
  return row ?? null
}

/**
 * Locks items like `lockItem`, in the order of their ids. The map has no entry for an item that is missing or deleted.
 */
export async function lockItems(tx: Queryable, ids: Iterable<string>): Promise<Map<string, StockOfItem>> {
  const rows = await tx<(StockOfItem & { id: string })[]>`
    select id, quantity, reserved_quantity, location_id from items
    where id = any(${[...new Set(ids)]}::uuid[]) and deleted_at is null order by id for update`
  return new Map(rows.map(({ id, ...stock }) => [id, stock]))
}
