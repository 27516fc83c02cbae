import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { shown } from './columns.ts'
import type { RolesQuery } from './read-request.ts'
import { type RoleRowsPage, readRoleRows } from './role-rows.queries.ts'

export type { RoleRowsPage } from './role-rows.queries.ts'

/** Matches the codes of database errors about a value or a cast. Any other error is a fault of the server. */
const VALUE_SQLSTATES = /^(22...|42804|42846|42883)$/
const LONGEST_MESSAGE = 200

/** Reads the table `user_roles` for programs that use the protocol of the hosted database service. */
export interface RoleRows {
  /**
   * Reads the rows of an account, or of all accounts if it is null. Throws REST_VALUE_INVALID or REST_RANGE_INVALID.
   * Throws REST_NOT_ONE_ROW if the request asks for a single row and there is not exactly one.
   */
  read(accountId: string | null, query: RolesQuery): Promise<RoleRowsPage>
}

/** Converts a database error about a value to the protocol's error. Returns any other error unchanged. */
function valueErrorOf(cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause
  const code = String(cause.code)
  if (!VALUE_SQLSTATES.test(code)) return cause
  return new AppError('REST_VALUE_INVALID', {
    text: shown(cause.message, LONGEST_MESSAGE),
    body: { code },
    cause,
  })
}

export function createRoleRows({ database }: { database: Pick<Database, 'sql'> }): RoleRows {
  return {
    async read(accountId, query) {
      const page = await readRoleRows(database.sql, accountId, query).catch((cause: unknown) => {
        throw valueErrorOf(cause)
      })
      const { from, isCounted, form } = query
      if (form === 'object' && page.returned !== 1)
        throw new AppError('REST_NOT_ONE_ROW', {
          body: { details: `The result contains ${page.returned} rows` },
        })
      if (isCounted && from > page.total)
        throw new AppError('REST_RANGE_INVALID', {
          body: { details: `An offset of ${from} was requested, but there are only ${page.total} rows.` },
        })
      return page
    },
  }
}
