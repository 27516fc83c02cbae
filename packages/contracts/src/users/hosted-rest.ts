import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'

/**
 * The part of the hosted database service's protocol that we serve: reading `user_roles`. The official client
 * calls it, so names, headers and responses follow that service, not our own conventions. Paths are below
 * `/rest/v1`.
 */
const { get, post, put, patch, del } = declareEndpoints('hosted database', { dialect: 'hosted-rest' })

/**
 * `select` and the filters follow the grammar of the protocol (`?select=role_name&is_active=eq.true`), which a schema
 * cannot describe.
 */
export const restReadRoles = get('/rest/v1/user_roles', 'signed-in', {
  summary:
    'Rows of user_roles: those of the caller, or all rows for an admin or a service key; the active row contains the role',
  isForServiceRoleToo: true,
  // The call works before a required password change, like `GET /auth/me`, which our own client calls for the
  // same purpose.
  worksBeforePasswordChange: true,
  sends: 'application/json',
  errors: [
    'REST_COLUMN_NOT_FOUND',
    'REST_RELATION_NOT_FOUND',
    'REST_NOT_EMBEDDED',
    'REST_AGGREGATE_REFUSED',
    'REST_QUERY_MALFORMED',
    'REST_VALUE_INVALID',
    'REST_NOT_ONE_ROW',
    'REST_SCHEMA_UNKNOWN',
    'REST_MEDIA_TYPE_UNKNOWN',
    'REST_RANGE_INVALID',
  ],
})

const refusedWrite = {
  summary: 'Refused: only PATCH /api/auth/users/{id} changes roles',
  refusal: 'REST_READ_ONLY',
} as const

export const REST_REFUSED_WRITES = [post, put, patch, del].map((declare) =>
  declare('/rest/v1/user_roles', 'nobody', refusedWrite),
)

const otherTable = {
  summary: 'Refused: no other table is served',
  params: z.object({ table: z.string() }),
  // The body is never read, so any body is accepted.
  isRawBody: true,
  errors: ['REST_TABLE_NOT_FOUND', 'REST_SCHEMA_UNKNOWN'],
} as const

export const REST_OTHER_TABLES = [get, post, put, patch, del].map((declare) =>
  declare('/rest/v1/:table', 'public', otherTable),
)

const otherFunction = {
  summary: 'Refused: no function of the database is served',
  params: z.object({ function: z.string() }),
  isRawBody: true,
  errors: ['REST_FUNCTION_NOT_FOUND', 'REST_SCHEMA_UNKNOWN'],
} as const

export const REST_FUNCTIONS = [get, post].map((declare) =>
  declare('/rest/v1/rpc/:function', 'public', otherFunction),
)
