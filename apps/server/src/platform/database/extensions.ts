import type { ServiceLog } from '../log/service-log.ts'
import { codeOf } from './connections/connect-error.ts'
import type { Queryable } from './database.ts'

const EXTENSIONS = ['pg_trgm', 'citext', 'unaccent'] as const

/**
 * Creates extensions that speed up searching, if the server has them and allows them. All are optional, so a
 * refusal is only logged.
 */
export async function createExtensions(sql: Queryable, log: ServiceLog): Promise<void> {
  const rows = await sql<{ extname: string }[]>`select extname from pg_extension`
  const present = new Set(rows.map((row) => row.extname))
  for (const name of EXTENSIONS) {
    if (present.has(name)) continue
    try {
      await sql.unsafe(`create extension if not exists ${name}`)
    } catch (error) {
      log.info(
        { extension: name, code: codeOf(error) },
        'an optional extension of the database is not available',
      )
    }
  }
}
