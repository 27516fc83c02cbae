import { type ErrorEntry, hostedRest } from './error-entry.ts'

/** What goes wrong with the tables that are read in the hosted database service's protocol. */
export const REST_ERRORS = {
  REST_TABLE_NOT_FOUND: {
    status: 404,
    message: 'There is no such table.',
    rest: hostedRest(404, 'PGRST205', 'Could not find the table in the schema cache'),
  },
  REST_COLUMN_NOT_FOUND: {
    status: 400,
    message: 'The table has no such column.',
    rest: hostedRest(400, '42703', 'column does not exist'),
  },
  REST_RELATION_NOT_FOUND: {
    status: 400,
    message: 'Nothing else can be read along with this table.',
    rest: hostedRest(400, 'PGRST200', 'Could not find a relationship in the schema cache'),
  },
  REST_QUERY_MALFORMED: {
    status: 400,
    message: 'The query could not be read.',
    rest: hostedRest(400, 'PGRST100', 'failed to parse the query'),
  },
  REST_VALUE_INVALID: {
    status: 400,
    message: 'A value does not fit its column.',
    rest: hostedRest(400, '22P02', 'invalid input syntax'),
  },
  REST_NOT_ONE_ROW: {
    status: 406,
    message: 'There is not exactly one row.',
    rest: hostedRest(406, 'PGRST116', 'Cannot coerce the result to a single JSON object'),
  },
  REST_SCHEMA_UNKNOWN: {
    status: 406,
    message: 'There is no such schema.',
    rest: {
      ...hostedRest(406, 'PGRST106', 'Invalid schema'),
      hint: 'Only the following schemas are exposed: public',
    },
  },
  REST_MEDIA_TYPE_UNKNOWN: {
    status: 406,
    message: 'Rows are answered as JSON only.',
    rest: hostedRest(406, 'PGRST107', 'None of these media types are available'),
  },
  REST_RANGE_INVALID: {
    status: 416,
    message: 'There is no such range of rows.',
    rest: hostedRest(416, 'PGRST103', 'Requested range not satisfiable'),
  },
  REST_READ_ONLY: {
    status: 403,
    message: 'Roles are changed by administrators, on their screen.',
    rest: hostedRest(403, '42501', 'permission denied for table user_roles'),
  },
} as const satisfies Record<string, ErrorEntry>
