import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { likePatterns } from '../../../platform/database/search-patterns.ts'

export type TagCount = Row<'tags'>

/** Lists the tags of live models that contain the typed text, most used first. */
export function listTags(
  sql: Queryable,
  { search, limit }: { search: string | undefined; limit: number },
): Promise<TagCount[]> {
  const contains = likePatterns(search).reduce((all, pattern) => sql`${all} and tag like ${pattern}`, sql``)
  return sql<TagCount[]>`
    select tag, models from tags where models > 0 ${contains} order by models desc, tag limit ${limit}`
}
