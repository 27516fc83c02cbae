import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { SPOOLMAN_READ, SPOOLMAN_REFUSALS } from './spoolman.ts'

/** How programs made for Spoolman take everything away at once: a row a thing, what it belongs to in columns of its own. */

const fmt = z.enum(['csv', 'json'], 'fmt is csv or json')

const taking = <Query extends z.ZodMiniObject>(path: `/${string}`, summary: string, query: Query) =>
  defineEndpoint({
    method: 'GET',
    path,
    summary,
    tag: 'spoolman',
    access: SPOOLMAN_READ,
    query,
    success: { status: 200, body: null, contentType: 'text/csv; charset=utf-8' },
    errors: [...SPOOLMAN_REFUSALS, 'INVALID_INPUT'],
  })

export const exportSpoolmanSpools = taking(
  '/spoolman/api/v1/export/spools',
  'All spools with their filaments and vendors, as CSV or JSON; archived ones where they are asked for',
  z.object({
    fmt,
    allow_archived: z._default(z.stringbool({ error: 'allow_archived must be true or false' }), false),
  }),
)

export const exportSpoolmanFilaments = taking(
  '/spoolman/api/v1/export/filaments',
  'All filaments with their vendors, as CSV or JSON',
  z.object({ fmt }),
)

export const exportSpoolmanVendors = taking(
  '/spoolman/api/v1/export/vendors',
  'All vendors, as CSV or JSON',
  z.object({ fmt }),
)
