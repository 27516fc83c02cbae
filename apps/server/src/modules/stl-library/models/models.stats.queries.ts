import type { Queryable } from '../../../platform/database/database.ts'

export interface ModelFigures {
  total_files: number
  files_this_week: number
}

/** Counts the models of the library. */
export async function readModelFigures(sql: Queryable, weekAgo: Date): Promise<ModelFigures> {
  const [row] = await sql<[ModelFigures]>`
    select count(*)::int as total_files,
           (count(*) filter (where created_at >= ${weekAgo}))::int as files_this_week
    from stl_files where deleted_at is null`
  return row
}

export interface ModelDay {
  day: string
  files_added: number
}

/** Counts the models added on each day in the time zone, from `since` on. */
export const readModelDays = (sql: Queryable, since: Date, timeZone: string): Promise<ModelDay[]> =>
  sql<ModelDay[]>`
    select (created_at at time zone ${timeZone})::date as day, count(*)::int as files_added
    from stl_files where deleted_at is null and created_at >= ${since}
    group by 1`
