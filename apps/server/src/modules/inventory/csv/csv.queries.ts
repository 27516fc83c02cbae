import type { LocationKind } from '@pegasus/contracts/inventory/locations'
import type { Queryable } from '../../../platform/database/database.ts'

/**
 * Finds the items with these SKUs, except items in the trash. `key` is the SKU in the form in which the database
 * compares SKUs.
 */
export const matchSkus = (
  sql: Queryable,
  skus: readonly string[],
): Promise<{ sku: string; key: string; item_id: string | null }[]> =>
  sql<{ sku: string; key: string; item_id: string | null }[]>`
    select asked.sku, upper(asked.sku) as key, i.id as item_id
    from unnest(${[...skus]}::text[]) as asked (sku)
    left join items i on upper(i.sku) = upper(asked.sku) and i.deleted_at is null`

/** Returns those of the given ids that belong to models of the library, except models in the trash. */
export async function findModelIds(sql: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from library_models where id = any(${[...ids]}::uuid[]) and deleted_at is null`
  return new Set(rows.map((row) => row.id))
}

/**
 * Returns those of the asked paths at which no location of the asked kind exists. Paths that differ only in case are
 * returned once.
 */
export async function listMissingLocations(
  sql: Queryable,
  asked: ReadonlyMap<string, LocationKind>,
): Promise<string[]> {
  const rows = await sql<{ path: string }[]>`
    select min(asked.path) as path
    from unnest(${[...asked.keys()]}::text[], ${[...asked.values()]}::text[]) as asked (path, kind)
    where not exists (
      select from locations l
      where lower(l.path) = lower(asked.path) and l.kind = asked.kind and l.deleted_at is null)
    group by lower(asked.path)
    order by 1`
  return rows.map(({ path }) => path)
}
