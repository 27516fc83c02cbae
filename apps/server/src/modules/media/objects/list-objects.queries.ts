import type { SortColumn } from '@pegasus/contracts/media/hosted-listing'
import type { Queryable } from '../../../platform/database/database.ts'
import type { ListedFile } from '../media.queries.ts'
import type { PageCursor } from './page-cursor.ts'

export interface PageQuery {
  bucket: string
  /** Only names that begin with this text are listed. It may end in the middle of a folder name. */
  prefix: string
  /** Whether files in deeper folders are represented by their folder. */
  isByFolder: boolean
  column: SortColumn
  isDescending: boolean
  limit: number
  after: PageCursor | null
}

/**
 * A file or folder on a page. The dates of a folder are those of its oldest file, and its name ends with a
 * slash.
 */
export type PageEntry = ListedFile | (Pick<ListedFile, 'name' | 'created_at' | 'updated_at'> & { id: null })

/** Returns the entries of a page and, if it exists, one entry more. */
export function listPage(sql: Queryable, query: PageQuery): Promise<PageEntry[]> {
  const { bucket, prefix, isByFolder, column, isDescending, limit, after } = query
  const direction = isDescending ? sql`desc` : sql`asc`
  const beyond = isDescending ? sql`<` : sql`>`
  const moment = { created_at: sql`created_at`, updated_at: sql`updated_at`, name: null }[column]
  const place = moment ? sql`(${moment}, name collate "C")` : sql`name collate "C"`
  const from = after && (moment ? sql`(${after.at}::timestamptz, ${after.name})` : sql`${after.name}`)
  const order = moment ? sql`${moment} ${direction}, name collate "C"` : sql`name collate "C"`
  return sql<PageEntry[]>`
    with below as (
      select o.*, case when ${isByFolder} then strpos(substr(name, ${prefix.length + 1}::int), '/') else 0 end as slash
      from objects o where bucket_id = ${bucket} and starts_with(name, ${prefix})
    ), entries as (
      select id, name, content_type, cache_control, size_bytes, sha256, created_at, updated_at
      from below where slash = 0
      union all
      select null, left(name, ${prefix.length}::int + slash), null, null, null, null, min(created_at), min(created_at)
      from below where slash > 0 group by 2
    )
    select * from entries ${from ? sql`where ${place} ${beyond} ${from}` : sql``}
    order by ${order} ${direction} limit ${limit + 1}`
}
