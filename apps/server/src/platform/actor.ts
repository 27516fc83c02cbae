import type { FastifyRequest } from 'fastify'
import type { Clock } from './clock.ts'
import type { Principal } from './http/principal.ts'

/** The person, API key or server that made a change, as stored with the change. */
export interface Actor {
  kind: 'user' | 'api_key' | 'system'
  id: string | null
  /** The name at the time of the change. It is stored because keys, unlike accounts, can be deleted. */
  name: string
}

/** The author of a change, with the time and the request. Background work has no request. */
export interface AuditContext {
  actor: Actor
  now: Date
  from?: RequestOrigin
}

/** The request that caused a change. */
export interface RequestOrigin {
  ip: string
  requestId: string
}

/** The actor of changes that the server makes itself: scheduled work, imports and repairs. */
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: null, name: 'Pegasus Ops' }

/** The actor of a caller who is not signed in. */
export const ANONYMOUS_ACTOR: Actor = { kind: 'user', id: null, name: 'Somebody not signed in' }

export const accountActor = (person: { id: string; username: string; full_name: string }): Actor => ({
  kind: 'user',
  id: person.id,
  name: person.full_name || person.username,
})

export const actorOf = (principal: Principal): Actor =>
  principal.kind === 'user'
    ? accountActor(principal.user)
    : { kind: 'api_key', id: principal.keyId, name: principal.label }

export const requestOriginOf = (request: FastifyRequest): RequestOrigin => ({
  ip: request.ip,
  requestId: request.id,
})

/** Returns the audit context of a request's caller. */
export const auditContextOf = (
  request: FastifyRequest,
  principal: Principal,
  clock: Clock,
): AuditContext => ({
  actor: actorOf(principal),
  now: clock.now(),
  from: requestOriginOf(request),
})

/** An actor in the form of database columns. */
export interface ActorColumns {
  actor_kind: Actor['kind']
  actor_id: string | null
  actor_name: string
}

export const actorColumns = ({ kind, id, name }: Actor): ActorColumns => ({
  actor_kind: kind,
  actor_id: id,
  actor_name: name,
})

export const actorOfColumns = (row: ActorColumns): Actor => ({
  kind: row.actor_kind,
  id: row.actor_id,
  name: row.actor_name,
})
