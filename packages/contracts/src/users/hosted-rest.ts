import * as z from 'zod/mini'
import { type Endpoint, defineEndpoint } from '../endpoint.ts'

/**
 * The part of the hosted database service's protocol that we serve: `user_roles`, read. Its client is the official
 * one, so names, headers and answers are that service's, not ours. Paths are below `/rest/v1`.
 */

/** `?select=role_name,is_active&is_active=eq.true`; the protocol's own grammar, which no schema describes. */
export const restReadRoles = defineEndpoint({
  method: 'GET',
  path: '/rest/v1/user_roles',
  summary: 'The rows of the own account in user_roles: the active one has its role',
  tag: 'hosted database',
  access: 'signed-in',
  // Like `me`, which plays this part for our own client.
  worksBeforePasswordChange: true,
  dialect: 'hosted-rest',
  success: { status: 200, body: null, contentType: 'application/json' },
  errors: [
    'UNAUTHENTICATED',
    'REST_COLUMN_NOT_FOUND',
    'REST_QUERY_MALFORMED',
    'REST_VALUE_INVALID',
    'REST_NOT_ONE_ROW',
    'REST_SCHEMA_UNKNOWN',
    'REST_MEDIA_TYPE_UNKNOWN',
    'REST_RANGE_INVALID',
  ],
})

const refusedWrite = {
  path: '/rest/v1/user_roles',
  summary: 'Refused: roles are changed by PATCH /api/auth/users/{id} alone',
  tag: 'hosted database',
  access: 'nobody',
  refusal: 'REST_READ_ONLY',
  dialect: 'hosted-rest',
  success: { status: 204, body: null },
  errors: ['UNAUTHENTICATED', 'REST_READ_ONLY'],
} as const satisfies Omit<Endpoint, 'method'>

export const REST_REFUSED_WRITES = (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
  defineEndpoint({ ...refusedWrite, method }),
)

const otherTable = {
  path: '/rest/v1/:table',
  summary: 'No other table is there',
  tag: 'hosted database',
  access: 'public',
  dialect: 'hosted-rest',
  params: z.object({ table: z.string() }),
  // Whatever is sent along is not looked at.
  isRawBody: true,
  success: { status: 204, body: null },
  errors: ['REST_TABLE_NOT_FOUND'],
} as const satisfies Omit<Endpoint, 'method'>

export const REST_OTHER_TABLES = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
  defineEndpoint({ ...otherTable, method }),
)
