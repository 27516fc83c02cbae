import { errorEntry } from '@pegasus/contracts/errors'
import { streamEvents } from '@pegasus/contracts/events'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Endpoints, Guard } from '../../platform/http/endpoints.ts'
import type { EventHub, EventReader } from './event-hub.ts'

const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && [401, 403].includes(errorEntry(error.code).status)

export function addEventRoutes(endpoints: Endpoints, deps: { hub: EventHub; guard: Guard }): void {
  endpoints.add(streamEvents, async ({ user, request, reply }) => {
    reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // This header tells proxies not to buffer the response, which never ends.
      'x-accel-buffering': 'no',
    })
    if (request.method === 'HEAD') return reply.send()
    const reader: EventReader = {
      sessionId: user.sessionId,
      role: user.user.role,
      async stillHolds() {
        try {
          const principal = await deps.guard(request, streamEvents)
          reader.role = principal && 'user' in principal ? principal.user.role : 'viewer'
          return true
        } catch (error) {
          if (isRefusal(error)) return false
          throw error
        }
      },
    }
    const stream = await deps.hub.open(reader)
    return reply.send(stream.body)
  })
}
