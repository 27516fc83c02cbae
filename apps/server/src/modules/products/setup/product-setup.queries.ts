import type { Queryable } from '../../../platform/database/database.ts'

/** Of a slug and those that follow it with a number, those that live products have. */
export async function findTakenSlugs(sql: Queryable, slug: string): Promise<string[]> {
  // Slugs are letters, digits and hyphens: nothing in them means anything to the pattern.
  const rows = await sql<{ slug: string }[]>`
    select slug from products
    where deleted_at is null and (slug = ${slug} or slug ~ ${`^${slug}-[0-9]+$`})`
  return rows.map((row) => row.slug)
}
