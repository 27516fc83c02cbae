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
  'slice',
  'order',
  'product',
  'draft',
  'api_key',
  'service_key',
  'sso_provider',
  'audit_entry',
  'alert',
] as const

/**
 * An event about a changed object. It does not contain the object's data. `missed` means that events may have been lost
 * because the server lost its database connection. The client must then reload everything that it shows. It must also
 * do so after its own connection to the stream was lost.
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

/** Events that modules publish. Only the server itself sends `missed`. */
export type ChangeEvent = Exclude<LiveEvent, { type: 'missed' }>

export const EVENT_HEARTBEAT_SECONDS = 15

/**
 * A stream of server-sent events, each of the form `data: {"type", "entity", "id"}`, with a comment as
 * heartbeat. Clients read it with fetch, because EventSource cannot send the bearer token. The stream ends
 * when the session or the access token ends.
 */
export const streamEvents = get('/api/events', 'signed-in', {
  summary: 'Server-sent events about changed objects, without their data',
  sends: 'text/event-stream',
  errors: ['TOO_MANY_STREAMS', 'UNAVAILABLE'],
})
