import { isDeepStrictEqual } from 'node:util'
import { type Endpoint, type RequestOf, type ResponseOf, type Schema } from '@pegasus/contracts/endpoint'
import * as z from 'zod/mini'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { KeyAccess } from '@pegasus/contracts/roles'
import type { WebSocket } from '@fastify/websocket'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { ANONYMOUS_ACTOR, type AuditContext, actorOf, auditContextOf, requestOriginOf } from '../actor.ts'
import type { Clock } from '../clock.ts'
import { errorResponsesOf } from './api-docs/error-responses.ts'
import { etagOf, hasTag } from './etag.ts'
import { type Cursor, type Page, type WrittenAnswer, type WrittenPage, sendPageHeaders } from './paging.ts'
import { type IdempotentCaller, idempotentCallerOf } from './idempotency.ts'
import type {
  AccountPrincipal,
  ApiKeyPrincipal,
  Principal,
  ServiceKeyPrincipal,
  UserPrincipal,
} from './principal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /**
     * Whether the flood limit counts requests to this route like calls, although the route has no endpoint declaration.
     */
    isCounted?: boolean
  }
  interface FastifyRequest {
    /** The caller; null on public endpoints. The guard sets it before the body is read. */
    principal: Principal | null
  }
}

/** Admits a request or throws. It runs before the body is read. */
export type Guard = (request: FastifyRequest, endpoint: Endpoint) => Promise<Principal | null>

type CallerOf<E extends Endpoint> = E['access'] extends 'public'
  ? null
  : E['access'] extends 'service-role'
    ? ServiceKeyPrincipal
    : E extends { isForServiceRoleToo: true }
      ? UserPrincipal | ServiceKeyPrincipal
      : E['access'] extends { people: string }
        ? AccountPrincipal
        : E['access'] extends KeyAccess
          ? ApiKeyPrincipal
          : UserPrincipal

/** The type `T` for endpoints with a caller, and `never` for public endpoints. */
type WithCaller<E extends Endpoint, T> = CallerOf<E> extends null ? never : T

/** One request, in the form that handlers receive. */
export interface Call<E extends Endpoint> extends RequestOf<E> {
  user: CallerOf<E>
  /** The author of a change, with the time and the request. */
  readonly audit: WithCaller<E, AuditContext>
  /**
   * The audit context together with the `Idempotency-Key`, for a write that must happen once per key. Reading it throws
   * MALFORMED_REQUEST if the key is invalid.
   */
  readonly caller: WithCaller<E, IdempotentCaller>
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * `FastifyReply` for endpoints whose handler may send the response itself: an empty one, a stream or another format.
 * `never` for all others.
 */
type NothingOf<E extends Endpoint> = E extends
  | { alternative: 204 | 302 | 303 }
  | { accepted: Schema; success: { body: null } }
  | { alsoSends: string }
  ? FastifyReply
  : never

/**
 * Handles the requests to an endpoint and returns the declared body. An endpoint without a declared body sends bytes
 * (or nothing) through `reply`. A body with a `revision` gets the matching `ETag`. A page is sent as a list of its
 * items, and headers contain the total and the address of the next page.
 */
export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<ResponseOf<E> extends undefined ? FastifyReply | void : ResponseOf<E> | PageOf<E> | NothingOf<E>>

/**
 * The result that a handler may return instead of the plain body: a page of a list, or a list or object that is already
 * written as JSON.
 */
type PageOf<E extends Endpoint> =
  ResponseOf<E> extends readonly (infer Item)[] ? Page<Item, Cursor | string> | WrittenPage : WrittenAnswer

/** Handles a websocket opened at an endpoint's address, after the guard. */
export type OnSocket = (socket: WebSocket, request: FastifyRequest) => void

export interface Endpoints {
  /**
   * Registers an endpoint from its declaration: path, permission, validation, serialization and description.
   */
  add<E extends Endpoint>(endpoint: E, handler: Handler<E>, onSocket?: OnSocket): void
  readonly all: readonly Endpoint[]
}

/** The response schemas of registered endpoints. Several apps in one process, such as demos, share them. */
const knownResponses = new WeakMap<Endpoint, Record<string, Schema>>()

/** Returns the response schemas of an endpoint by status. */
function responsesOf(endpoint: Endpoint): Record<string, Schema> {
  let responses = knownResponses.get(endpoint)
  if (!responses) knownResponses.set(endpoint, (responses = listResponses(endpoint)))
  // Return a copy, because Fastify adds fields to the object that it gets.
  return { ...responses }
}

function listResponses(endpoint: Endpoint): Record<string, Schema> {
  const { success, alternative, accepted } = endpoint
  const statuses = alternative === undefined ? [success.status] : [success.status, alternative]
  const ok = statuses.flatMap((status) =>
    success.body
      ? [
          [String(status), status === 200 || status === success.status ? success.body : z.null()] as [
            string,
            Schema,
          ],
        ]
      : [],
  )
  if (accepted) ok.push(['202', accepted])
  return { ...errorResponsesOf(endpoint), ...Object.fromEntries(ok) }
}

/** Returns the credentials that an endpoint requires: none, a person's token, a key, or either of them. */
function securityOf({ access, isForServiceRoleToo: isForKeys }: Endpoint) {
  if (access === 'public') return { security: [] }
  if (access === 'service-role') return { security: [{ serviceKey: [] }] }
  if (isForKeys) return { security: [{ bearer: [] }, { serviceKey: [] }] }
  if (typeof access !== 'object') return { security: [{ bearer: [] }] }
  return { security: access.people === undefined ? [{ apiKey: [] }] : [{ bearer: [] }, { apiKey: [] }] }
}

/** Returns the schema of the body. The schema of a form contains its text fields and its file. */
function bodyOf({ body, fileField }: Endpoint): Schema | undefined {
  if (!fileField || !(body instanceof z.ZodMiniObject)) return body
  return z.extend(body, { [fileField]: z.optional(z.file()) })
}

function describe(endpoint: Endpoint) {
  return {
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.body && { body: bodyOf(endpoint) }),
    ...(endpoint.fileField && { consumes: ['multipart/form-data'] }),
    ...securityOf(endpoint),
    response: responsesOf(endpoint),
  }
}

/** Validates only the path. Used for streamed forms, whose handlers read the query and the body themselves. */
const checkOnlyPath: Pick<RouteOptions, 'validatorCompiler'> = {
  validatorCompiler: (part) => (part.httpPart === 'params' ? validatorCompiler(part as never) : () => true),
}

/**
 * Removes query parameters without a value, so that `?status=` means the same as no `status`. An empty `sku` stays,
 * because it asks for a single item. Queries of the hosted protocols stay unchanged, because an empty value may have a
 * meaning there.
 */
function dropEmptyQuery({ path, dialect }: Endpoint): Pick<RouteOptions, 'preValidation'> {
  if (!path.startsWith('/api/') || dialect) return {}
  return {
    preValidation: (request, _reply, done) => {
      const query = request.query as Record<string, unknown>
      for (const [name, value] of Object.entries(query))
        if (value === '' && name !== 'sku') delete query[name]
      done()
    },
  }
}

/**
 * Registers an endpoint. If its body is raw, gives it its own Fastify scope that accepts any content type. All other
 * endpoints accept only JSON and forms.
 */
function within(app: FastifyInstance, { isRawBody }: Endpoint, add: (scope: FastifyInstance) => void): void {
  if (!isRawBody) return add(app)
  void app.register(async (scope) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    add(scope)
  })
}

/** Whether a browser opens the address as a page: the request has no token and accepts HTML. */
const isPageVisit = ({ headers }: FastifyRequest): boolean =>
  headers.authorization === undefined &&
  headers['x-api-key'] === undefined &&
  /\btext\/html\b/i.test(headers.accept ?? '')

const isPage = (body: unknown): body is Page<unknown, Cursor | string> =>
  typeof body === 'object' && body !== null && 'items' in body && 'next' in body && 'total' in body

const isWritten = (body: unknown): body is WrittenAnswer | WrittenPage =>
  typeof body === 'object' && body !== null && 'tag' in body && 'body' in body && Buffer.isBuffer(body.body)

/** Throws if the JSON has a missing, wrong or undeclared field. */
function assertDeclared(json: string, { success, method, path }: Endpoint): void {
  const sent: unknown = JSON.parse(json)
  const { data, error } = z.safeParse(success.body!, sent)
  if (error || !isDeepStrictEqual(data, sent))
    throw new Error(`${method} ${path} sends JSON that it does not declare`, { cause: error })
}

const hasRevision = (body: unknown): body is { revision: number } =>
  typeof body === 'object' && body !== null && 'revision' in body && typeof body.revision === 'number'

/** `audit` and `caller` are created only when a handler reads them. */
const toCall = (request: FastifyRequest, reply: FastifyReply, clock: Clock) => ({
  params: request.params,
  query: request.query,
  body: request.body,
  user: request.principal,
  request,
  reply,
  get audit() {
    return request.principal && auditContextOf(request, request.principal, clock)
  },
  get caller() {
    const { principal } = request
    return principal && 'accountId' in principal ? idempotentCallerOf(request, principal, clock) : null
  },
})

interface EndpointsDeps {
  guard: Guard
  clock: Clock
  /** For tests: compares JSON from the database with the declared schema. */
  checksJson?: boolean | undefined
  /** Called with the error of a handler and its caller, before the error is sent. */
  onFailure?: (error: unknown, by: AuditContext) => Promise<void>
}

/**
 * Creates the registrar for the routes of all modules, so that no route can be registered without a
 * permission.
 */
export function createEndpoints(
  app: FastifyInstance,
  { guard, clock, checksJson = false, onFailure }: EndpointsDeps,
): Endpoints {
  const all: Endpoint[] = []
  const answerOf = async <T>(request: FastifyRequest, handle: () => Promise<T>): Promise<T> => {
    try {
      return await handle()
    } catch (error) {
      const { principal } = request
      try {
        await onFailure?.(error, {
          actor: principal ? actorOf(principal) : ANONYMOUS_ACTOR,
          now: clock.now(),
          from: requestOriginOf(request),
        })
      } catch (err) {
        // Only log this error, because the caller must get the error of the handler.
        request.log.error({ err, failure: error }, 'a failure could not be recorded')
      }
      throw error
    }
  }
  app.decorateRequest('principal', null)

  const register = (
    endpoint: Endpoint,
    url: string,
    handler: RouteOptions['handler'],
    onSocket: OnSocket | undefined,
  ): void =>
    within(app, endpoint, (scope) => {
      scope.route({
        method: endpoint.method,
        url,
        schema: { ...describe(endpoint), ...(url !== endpoint.path && { hide: true }) },
        config: { endpoint },
        ...((endpoint.fileField || endpoint.isRawBody) && checkOnlyPath),
        ...dropEmptyQuery(endpoint),
        onRequest: async (request, reply) => {
          if (endpoint.isAlsoPage && isPageVisit(request)) return reply.callNotFound()
          request.principal = await guard(request, endpoint)
        },
        handler,
        ...(onSocket && { wsHandler: onSocket }),
      })
    })

  return {
    all,
    add(endpoint, handler, onSocket) {
      all.push(endpoint)
      for (const url of [endpoint.path, ...(endpoint.aliases ?? [])]) {
        const answer: RouteOptions['handler'] = async (request, reply) => {
          // The declared schemas have parsed `params`, `query` and `body`. Fastify's own types cannot express that.
          const call = toCall(request, reply, clock) as Call<typeof endpoint>
          reply.code(endpoint.success.status)
          const body = await answerOf(request, async () => handler(call))
          if (isPage(body)) {
            sendPageHeaders(request, reply, body)
            return body.items
          }
          if (isWritten(body)) {
            if (checksJson) assertDeclared(body.body.toString(), endpoint)
            reply.header('etag', body.tag)
            if ('total' in body) {
              sendPageHeaders(request, reply, body)
              if (hasTag(request, body.tag)) return reply.code(304).send()
            }
            reply.type('application/json; charset=utf-8')
            return body.body
          }
          if (hasRevision(body)) reply.header('etag', etagOf(body.revision))
          return body
        }
        register(endpoint, url, answer, onSocket)
      }
    },
  }
}
