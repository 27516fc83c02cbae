import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../errors/app-error.ts'
import {
  type ErrorRenderer,
  renderHostedAuthError,
  renderHostedFunctionsError,
  renderHostedRealtimeError,
  renderHostedRestError,
  renderHostedStorageError,
  renderProductError,
  renderTusError,
} from '../errors/render-error.ts'
import { toAppError } from '../errors/to-app-error.ts'
import { BARE_SECURITY_HEADERS } from './security-headers.ts'

/**
 * The error dialect of each hosted service, by the first part of its paths. Unknown paths below that part use
 * the dialect, too.
 */
const HOSTED_RENDERERS: Readonly<Record<string, ErrorRenderer>> = {
  auth: renderHostedAuthError,
  storage: renderHostedStorageError,
  rest: renderHostedRestError,
  functions: renderHostedFunctionsError,
  realtime: renderHostedRealtimeError,
}
const DIALECT_RENDERERS: Partial<Record<string, ErrorRenderer>> = {
  tus: renderTusError,
  'hosted-auth': renderHostedAuthError,
  'hosted-storage': renderHostedStorageError,
  'hosted-rest': renderHostedRestError,
}
const HOSTED_REST_PREFIX = '/rest/v1/'
const REST_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const rendererFor = (dialect: string | undefined, url: string): ErrorRenderer => {
  const byDialect = DIALECT_RENDERERS[dialect ?? '']
  if (byDialect) return byDialect
  const [, service = ''] = /^\/(\w+)\/v1(?:[/?]|$)/.exec(url) ?? []
  return HOSTED_RENDERERS[service] ?? renderProductError
}

/** Returns the function that renders the errors of an endpoint. */
export const errorRendererOf = ({ dialect, path }: Endpoint): ErrorRenderer => rendererFor(dialect, path)

/**
 * Returns the hosted database service's own error for an unknown HTTP method; otherwise returns the given
 * error.
 */
function withStrangeMethod(error: AppError, { method, url }: FastifyRequest): AppError {
  const isStrange =
    error.code === 'NOT_FOUND' && url.startsWith(HOSTED_REST_PREFIX) && !REST_METHODS.has(method)
  return isStrange
    ? new AppError('METHOD_NOT_ALLOWED', { text: `Unsupported HTTP method: ${method}` })
    : error
}

/** The paths of an OAuth 2.1 server, which the server does not have. */
const OAUTH_SERVER = /^\/auth\/v1\/(?:user\/)?oauth(?:[/?]|$)/

const withAbsentOAuthServer = (error: AppError, { url }: FastifyRequest): AppError =>
  error.code === 'NOT_FOUND' && OAUTH_SERVER.test(url) ? new AppError('OAUTH_SERVER_DISABLED') : error

/**
 * Reduces the current object in a 412 response to its declared fields, so that other columns of its row never
 * leave the server.
 */
function withDeclaredCurrent(error: AppError, request: FastifyRequest): AppError {
  if (error.body?.['current'] === undefined) return error
  const { endpoint } = request.routeOptions.config ?? {}
  const schema = endpoint?.current ?? endpoint?.success.body
  const declared = schema && z.safeParse(schema, error.body['current'])
  if (!declared?.success)
    request.log.error({ err: declared?.error }, 'the object of a stale change is not as declared')
  return error.withBody({ ...error.body, current: declared?.data })
}

/** Sends an error in the caller's dialect and logs it: 4xx at level info, 5xx at level error. */
export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const declared = withDeclaredCurrent(toAppError(thrown), request)
  const error = withAbsentOAuthServer(withStrangeMethod(declared, request), request)
  const rendered = rendererFor(request.routeOptions.config?.endpoint?.dialect, request.url)(
    error,
    request.headers,
  )
  if (rendered.status >= 500) request.log.error({ err: error, code: error.code }, 'request failed')
  else request.log.info({ code: error.code, detail: error.message, errors: error.errors }, 'request refused')
  reply.code(rendered.status).headers(rendered.headers)
  if (rendered.isText) return reply.type('text/plain; charset=utf-8').send(rendered.body)
  return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(rendered.body)
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error))
}

/**
 * Sends the error for a malformed address. Fastify reports it before routing, where no hook runs, so this
 * function sets the headers.
 */
export const frameworkErrors = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  reply.headers({ ...BARE_SECURITY_HEADERS, 'x-request-id': request.id })
  sendError(request, reply, error)
}
