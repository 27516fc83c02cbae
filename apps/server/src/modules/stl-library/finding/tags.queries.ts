import type { Queryable } from '../../../platform/database/database.ts'
import { patternsOf } from '../../../platform/database/search.ts'

export interface TagCount {
  tag: string
  models: number
}

/** Tags of live models that contain what was typed, the commonest first. */
export function listTags(
  sql: Queryable,
  { search, limit }: { search: string | undefined; limit: number },
): Promise<TagCount[]> {
  const contains = patternsOf(search).reduce((all, pattern) => sql`${all} and tag like ${pattern}`, sql``)
  return sql<TagCount[]>`
    select tag, models from tags where models > 0 ${contains} order by models desc, tag limit ${limit}`
}
