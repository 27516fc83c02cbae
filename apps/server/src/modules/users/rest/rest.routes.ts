import { isAdmin } from '@pegasus/contracts/roles'
import {
  REST_FUNCTIONS,
  REST_OTHER_TABLES,
  REST_REFUSED_WRITES,
  restReadRoles,
} from '@pegasus/contracts/users/hosted-rest'
import type { FastifyReply } from 'fastify'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { ServiceKeyPrincipal, UserPrincipal } from '../../../platform/http/principal.ts'
import { shown } from './columns.ts'
import { type RolesQuery, assertSchema, readRolesQuery } from './read-request.ts'
import { writeCsv } from './row-csv.ts'
import { type RoleRowsPage, createRoleRows } from './role-rows.service.ts'

function contentRangeOf(page: RoleRowsPage, { from, isCounted }: RolesQuery): string {
  const total = isCounted ? page.total : '*'
  return page.returned === 0 ? `*/${total}` : `${from}-${from + page.returned - 1}/${total}`
}

function send(reply: FastifyReply, page: RoleRowsPage, query: RolesQuery): FastifyReply {
  const isPart = query.isCounted && page.returned < page.total
  const [type, body] = answerOf(page, query)
  return reply
    .code(isPart && query.form !== 'object' ? 206 : 200)
    .headers({
      'content-range': contentRangeOf(page, query),
      'content-profile': 'public',
      ...(query.isCounted && { 'preference-applied': 'count=exact' }),
    })
    .type(`${type}; charset=utf-8`)
    .send(body)
}

/** Returns the content type and the body of the response, in the requested form. */
function answerOf(page: RoleRowsPage, { form }: RolesQuery): [type: string, body: string | null] {
  switch (form) {
    case 'object':
      return ['application/vnd.pgrst.object+json', page.first]
    case 'csv':
      return ['text/csv', writeCsv(page.rows)]
    case 'array':
      return ['application/json', page.rows]
  }
}

/**
 * Returns the account whose rows a caller may read. Returns null for admins and secret keys, which may read the rows of
 * all accounts.
 */
const readerOf = (caller: UserPrincipal | ServiceKeyPrincipal): string | null =>
  caller.kind === 'service_key' || isAdmin(caller.user.role) ? null : caller.accountId

/** Adds the endpoint that reads `user_roles`, in the protocol of the hosted database service. It refuses writes. */
export function addRestRoutes(endpoints: Endpoints, deps: { database: Pick<Database, 'sql'> }): void {
  const roleRows = createRoleRows(deps)

  endpoints.add(restReadRoles, async ({ user, request, reply }) => {
    const query = readRolesQuery(request)
    return send(reply, await roleRows.read(readerOf(user), query), query)
  })

  for (const endpoint of REST_REFUSED_WRITES)
    endpoints.add(endpoint, async () => {
      throw new AppError('REST_READ_ONLY')
    })

  for (const endpoint of REST_FUNCTIONS)
    endpoints.add(endpoint, async ({ params, request }) => {
      assertSchema(request)
      throw new AppError('REST_FUNCTION_NOT_FOUND', {
        text: `Could not find the function public.${shown(params.function)} in the schema cache`,
      })
    })

  for (const endpoint of REST_OTHER_TABLES)
    endpoints.add(endpoint, async ({ params, request }) => {
      if (params.table === '') throw new AppError('NOT_FOUND')
      assertSchema(request)
      throw new AppError('REST_TABLE_NOT_FOUND', {
        text: `Could not find the table 'public.${shown(params.table)}' in the schema cache`,
      })
    })
}
