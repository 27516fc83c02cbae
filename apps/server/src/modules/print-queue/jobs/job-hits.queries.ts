import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import type { Queryable } from '../../../platform/database/database.ts'

export interface JobHit {
  id: string
  label_code: string
  name: string | null
  status: PrintJobStatus
}

/**
 * Finds print jobs for the global search: the job with this label code, and the jobs of the items and models
 * that the search found. Unfinished jobs come first. Jobs have no searchable text of their own.
 */
export const findJobHits = (
  sql: Queryable,
  { search, itemIds, modelIds, limit }: JobSearch,
): Promise<JobHit[]> =>
  sql<JobHit[]>`
    select j.id, j.label_code, coalesce(i.name, m.title) as name, j.status
    from print_jobs j
    left join stock_items i on i.id = j.item_id
    left join library_models m on m.id = coalesce(j.stl_file_id, i.stl_file_id)
    where j.deleted_at is null
      and (j.label_code = upper(${search}) or j.item_id = any(${itemIds}::uuid[]) or j.stl_file_id = any(${modelIds}::uuid[]))
    order by j.label_code = upper(${search}) desc, j.status in ('completed', 'cancelled'), j.created_at desc, j.id desc
    limit ${sql.literal(limit)}`

interface JobSearch {
  search: string
  itemIds: readonly string[]
  modelIds: readonly string[]
  limit: number
}
