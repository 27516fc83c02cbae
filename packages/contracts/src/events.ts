import * as z from 'zod/mini'
import { declareEndpoints } from './endpoint.ts'

const { get } = declareEndpoints('events')

export const EVENT_ENTITIES = [
  'stl_file',
  'stl_import',
  'inventory_item',
  'location',
  'cost_settings',
  'filament',
  'print_job',
  'printer',
  'order',
  'product',
  'draft',
  'api_key',
  'audit_entry',
  'alert',
] as const

/**
 * Something changed; what it is now has to be asked for. `missed` means that some events may have been lost
 * (the server's connection to its database was), so everything shown is to be asked for again; a client that
 * lost the stream itself does the same when it is back.
 */
export const liveEvent = z.union([
  z.object({
    type: z.enum(['created', 'updated', 'deleted']),
    entity: z.enum(EVENT_ENTITIES),
    id: z.uuid(),
  }),
  z.object({ type: z.literal('missed'), entity: z.literal('all'), id: z.null() }),
])
export type LiveEvent = z.output<typeof liveEvent>

/** What modules tell; the other kind is the server's own. */
export type ChangeEvent = Exclude<LiveEvent, { type: 'missed' }>

export const EVENT_HEARTBEAT_SECONDS = 15

/**
 * A stream of server-sent events, each `data: {"type", "entity", "id"}`, with a comment as heartbeat. To be read
 * with fetch, since it takes the bearer token. It ends when the session does, or the access token.
 */
export const streamEvents = get('/api/events', 'signed-in', {
  summary: 'Server-sent events: what changed, without its data',
  sends: 'text/event-stream',
  errors: ['TOO_MANY_STREAMS', 'UNAVAILABLE'],
})
