import type { Queryable } from '../../../platform/database/database.ts'

/** Lists the slugs of live products that equal this slug, or this slug with a number. */
export async function findTakenSlugs(sql: Queryable, slug: string): Promise<string[]> {
  // Slugs consist of letters, digits and hyphens, which are not special in the pattern.
  const rows = await sql<{ slug: string }[]>`
    select slug from products
    where deleted_at is null and (slug = ${slug} or slug ~ ${`^${slug}-[0-9]+$`})`
  return rows.map((row) => row.slug)
}
