import { UNFINISHED_PRINT_JOB_STATUSES } from '@pegasus/contracts/statuses'
import type { Row, Update } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { updateRevised } from '../../../platform/database/write-rows.ts'
import type { ItemFields } from './item-fields.ts'
import { type ItemRow, selectItem } from './items.queries.ts'

/**
 * Locks items, including items in the trash, until the transaction ends, and returns them. Locks them in the order of
 * their ids, which avoids deadlocks.
 */
export async function lockItems(tx: Queryable, ids: readonly string[]): Promise<ItemRow[]> {
  await tx`select 1 from items where id = any(${[...ids]}::uuid[]) order by id for update`
  // Read the items only after locking, because they may have changed while this transaction waited for the
  // lock.
  return tx<ItemRow[]>`${selectItem(tx)} where i.id = any(${[...ids]}::uuid[]) order by i.id`
}

/** Updates columns of an item and increments its revision. */
export const updateItem = (
  tx: Queryable,
  id: string,
  columns: Pick<Update<'items'>, keyof ItemFields | 'location_id'>,
  now: Date,
) => updateRevised(tx, 'items', id, columns, now)

/** Moves items to the trash if a time is given, or restores them if the time is null. */
export async function setDeleted(
  tx: Queryable,
  ids: readonly string[],
  { deletedAt, now }: { deletedAt: Date | null; now: Date },
): Promise<void> {
  await tx`
    update items set deleted_at = ${deletedAt}, revision = revision + 1, updated_at = ${now}
    where id = any(${[...ids]}::uuid[])`
}

/** Uses of an item that prevent its deletion. */
export interface ItemUses extends Row<'items', 'id' | 'reserved_quantity'> {
  print_jobs: number
  /** Names of the products on sale that use the item. */
  products: string[]
}

/** Reads the uses of items through views that the other modules provide. */
export const readItemUses = (tx: Queryable, ids: readonly string[]): Promise<ItemUses[]> =>
  tx<ItemUses[]>`
    select i.id, i.reserved_quantity,
           (select count(*)::int from queue_jobs j
            where j.item_id = i.id and j.deleted_at is null
              and j.status = any(${[...UNFINISHED_PRINT_JOB_STATUSES]})) as print_jobs,
           array(select c.name from catalogue_items c
                 where c.item_id = i.id and c.deleted_at is null and c.status in ('publishing', 'published')
                 order by c.name limit 10) as products
    from items i where i.id = any(${[...ids]}::uuid[])`

/** Returns those of the given SKUs that an item already has, in the given spelling. Items in the trash do not count. */
export async function listTakenSkus(tx: Queryable, skus: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ sku: string }[]>`
    select asked.sku from unnest(${[...skus]}::text[]) as asked (sku)
    where exists (select from items i where upper(i.sku) = upper(asked.sku) and i.deleted_at is null)`
  return new Set(rows.map((row) => row.sku))
}
