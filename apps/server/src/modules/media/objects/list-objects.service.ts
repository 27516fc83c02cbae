import type { Database } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { isReadable } from '../buckets/bucket-rules.ts'
import { findBucket } from '../media.queries.ts'
import type { ReadScope } from '../storage-caller.ts'
import { listPage, type PageEntry, type PageQuery } from './list-objects.queries.ts'
import { readCursor, writeCursor } from './page-cursor.ts'

/** A requested page. `cursor` comes from the previous page and contains the order of the list. */
export type PageRequest = Omit<PageQuery, 'after'> & { cursor: string | undefined; scope: ReadScope }

export interface Page {
  entries: PageEntry[]
  /** Null if this is the last page. */
  nextCursor: string | null
}

export interface ListPages {
  /** Returns a page. Throws BUCKET_NOT_FOUND, or INVALID_INPUT for an invalid cursor. */
  read(request: PageRequest): Promise<Page>
}

export function createListPages({ database }: { database: Pick<Database, 'sql'> }): ListPages {
  return {
    async read({ cursor, scope, ...request }) {
      const after = cursor ? readCursor(cursor) : null
      const bucket = orThrow(await findBucket(database.sql, request.bucket), 'BUCKET_NOT_FOUND')
      if (!isReadable(bucket, scope)) throw new AppError('BUCKET_NOT_FOUND')
      const { column, isDescending } = after ?? request
      const found = await listPage(database.sql, { ...request, column, isDescending, after })
      const entries = found.slice(0, request.limit)
      const last = entries.at(-1)
      if (!last || found.length <= request.limit) return { entries, nextCursor: null }
      const at = column === 'name' ? null : last[column]
      return { entries, nextCursor: writeCursor({ column, isDescending, name: last.name, at }) }
    },
  }
}
