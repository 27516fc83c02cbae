import type { ModelRow } from '../../apps/server/src/modules/stl-library/models/models.queries.ts'
import type { Sql } from '../../apps/server/src/platform/database/database.ts'

/** The search that the target comes from: whole words over an inverted index, in the bench's own table. */
export async function makeWordIndex(sql: Sql): Promise<void> {
  await sql`
    create table bench_words as
    select id, created_at, to_tsvector('simple', title || ' ' || description) as words from stl_files`
  await sql`create index on bench_words using gin (words)`
  await sql`create index on bench_words (created_at desc, id desc)`
  await sql`vacuum analyze bench_words`
}

/** The newest models with all the words. Planned each time, because the frequency of a word decides the plan. */
export const searchWords = (sql: Sql, search: string, limit: number): Promise<ModelRow[]> =>
  sql.unsafe<ModelRow[]>(
    `select f.*, v.*, p.username as uploaded_by
     from (select id from bench_words where words @@ plainto_tsquery('simple', $1)
           order by created_at desc, id desc limit $2) found
     join stl_files f on f.id = found.id
     join stl_versions v on v.id = f.current_version_id
     left join people p on p.id = v.uploaded_by
     order by f.created_at desc, f.id desc`,
    [search, limit + 1],
  )
