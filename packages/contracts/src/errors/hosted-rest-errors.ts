import type { ErrorCode } from './own-api-errors.ts'

/**
 * An error in the hosted database service's dialect: HTTP status, code and message. The code is either
 * PostgreSQL's own (SQLSTATE) or one of the hosted service (`PGRST…`).
 */
type HostedRestError = readonly [status: number, code: string, message: string, hint?: string]

// biome-ignore format: one line for each error reads best
export const HOSTED_REST_ERRORS: Partial<Record<ErrorCode, HostedRestError>> = {
  BAD_JWT: [401, 'PGRST301', 'JWT could not be decoded or verified'],
  JWT_EXPIRED: [401, 'PGRST303', 'JWT expired'],
  SESSION_NOT_FOUND: [401, 'PGRST303', 'Session from session_id claim in JWT does not exist'],
  SERVICE_KEY_WITHOUT_ACCOUNT: [403, '42501', 'permission denied for table user_roles'],
  REST_TABLE_NOT_FOUND: [404, 'PGRST205', 'Could not find the table in the schema cache'],
  REST_FUNCTION_NOT_FOUND: [404, 'PGRST202', 'Could not find the function in the schema cache'],
  REST_COLUMN_NOT_FOUND: [400, '42703', 'column does not exist'],
  REST_RELATION_NOT_FOUND: [400, 'PGRST200', 'Could not find a relationship in the schema cache'],
  REST_NOT_EMBEDDED: [400, 'PGRST108', 'This resource is not an embedded resource in this request'],
  REST_AGGREGATE_REFUSED: [400, 'PGRST123', 'Use of aggregate functions is not allowed'],
  REST_QUERY_MALFORMED: [400, 'PGRST100', 'failed to parse the query'],
  REST_VALUE_INVALID: [400, '22P02', 'invalid input syntax'],
  REST_NOT_ONE_ROW: [406, 'PGRST116', 'Cannot coerce the result to a single JSON object'],
  REST_SCHEMA_UNKNOWN: [406, 'PGRST106', 'Invalid schema', 'Only the following schemas are exposed: public'],
  REST_MEDIA_TYPE_UNKNOWN: [406, 'PGRST107', 'None of these media types are available'],
  REST_RANGE_INVALID: [416, 'PGRST103', 'Requested range not satisfiable'],
  REST_READ_ONLY: [403, '42501', 'permission denied for table user_roles'],
}
