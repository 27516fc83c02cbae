import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/**
 * Returns those slugs of products that equal this slug, or this slug with a number. Products in the trash do not count.
 */
export async function findTakenSlugs(sql: Queryable, slug: string): Promise<string[]> {
  // A slug has only letters, digits and hyphens, which have no special meaning in the pattern.
  const rows = await sql<{ slug: string }[]>`
    select slug from products
    where deleted_at is null and (slug = ${slug} or slug ~ ${`^${slug}-[0-9]+$`})`
  return rows.map((row) => row.slug)
}

/** Finds the oldest published product that sells this item. */
export async function findProductOfItem(
  sql: Queryable,
  itemId: string,
): Promise<Row<'products', 'id' | 'name'> | null> {
  const [product] = await sql<Row<'products', 'id' | 'name'>[]>`
    select id, name from products
    where deleted_at is null and item_id = ${itemId} and status = 'published'
    order by created_at, id limit 1`
  return product ?? null
}
