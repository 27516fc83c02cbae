import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import { TRASH_DAYS, idParams, pageQuery } from './fields.ts'
import type { Access } from './roles.ts'

/** A schema of zod or zod/mini. The server accepts both kinds. */
export type Schema<T = unknown> = z.ZodMiniType<T>

/**
 * A successful response: JSON that matches a schema, no body (204), a redirect (302, 303), or bytes that no
 * schema describes.
 */
export type Success =
  | { status: 200 | 201 | 202; body: Schema }
  | { status: 204 | 302 | 303; body: null }
  | { status: 200; body: null; contentType: string }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/**
 * The error format of an endpoint: our own format, or the format of the hosted auth, storage or database
 * service, or of resumable uploads.
 */
type Dialect = 'product' | 'hosted-auth' | 'hosted-storage' | 'hosted-rest' | 'tus'

/** Options of an endpoint, besides its address, access and response. */
interface EndpointOptions {
  summary: string
  /** Further paths that reach the same endpoint. */
  aliases?: readonly `/${string}`[]
  /** The error for a caller whose role is too low. The default is FORBIDDEN. */
  refusal?: ErrorCode
  /** Whether a signed URL (see `thumbnail_path`) can be used instead of a bearer token. */
  isSignable?: boolean
  /** Whether a secret key of the hosted service's protocol can be used instead of a person's token. */
  isForServiceRoleToo?: boolean
  /**
   * Whether a browser that opens the address gets the app, which then requests the address with a token.
   * Programs get the response itself.
   */
  isAlsoPage?: boolean
  /**
   * Whether the caller must have signed in or reauthenticated in the last 15 minutes. This is meant for
   * changes that would last longer than a stolen session.
   */
  needsRecentSignIn?: boolean
  /** Whether the call works while the account must still change a generated password. */
  worksBeforePasswordChange?: boolean
  /** Whether the call works for an account that signed in anonymously, without a name or an address. */
  isForAnonymous?: boolean
  /** Whether the call works in a session that has not yet proved the account's second factor. */
  worksBeforeSecondFactor?: boolean
  /** Whether the call works for an account that must still set up a second factor, because its role needs one. */
  worksBeforeFactorSetup?: boolean
  /** The error for a session without the second factor, if the hosted protocol has its own status for the call. */
  refusalBeforeSecondFactor?: ErrorCode
  params?: Schema
  query?: Schema
  body?: Schema
  /**
   * Name of the form part that contains a file. The request body is then a multipart form that the handler streams, and
   * `body` describes its text fields.
   */
  fileField?: string
  /** Whether the body is bytes of any kind, which the handler streams. */
  isRawBody?: boolean
  /**
   * A second successful status: 200 for an update instead of a creation (with the same body), 204 (no body), or 302
   * or 303 (redirect).
   */
  alternative?: 200 | 204 | 302 | 303
  /** Content type of a second form of the same response, for a client whose `Accept` prefers it. */
  alsoSends?: string
  /** Body of a 202 response, for a call that may start work in the background. */
  accepted?: Schema
  /**
   * Schema of the current object in the response to an outdated change. The default is the schema of the
   * successful response.
   */
  current?: Schema
}

/**
 * One call of the API, declared once. The server uses the declaration to register, validate and serialize the
 * call, the client uses it to make the call, and the OpenAPI document is generated from it.
 */
export interface Endpoint extends EndpointOptions {
  method: Method
  /** The path, with parameters of the form `:name`. */
  path: `/${string}`
  tag: string
  /**
   * The lowest role, or the API key scope, that may make the call. The server checks it after reading only
   * the headers.
   */
  access: Access
  dialect?: Dialect
  success: Success
  errors: readonly ErrorCode[]
}

/**
 * The declaration of an endpoint. It contains at most one of `returns`, `creates`, `sends` and `success`.
 * Without any of them, the response is a 204.
 */
interface Declaration extends EndpointOptions {
  /** Body of a 200 response. */
  returns?: Schema
  /** Body of a 201 response. */
  creates?: Schema
  /** Content type of a 200 response whose bytes no schema describes. */
  sends?: string
  /** A successful response of another kind. */
  success?: Success
  /** Errors that do not already follow from the rest of the declaration (see `impliedErrors`). */
  errors?: readonly ErrorCode[]
}

type SuccessOf<D> = D extends { returns: infer Body extends Schema }
  ? { status: 200; body: Body }
  : D extends { creates: infer Body extends Schema }
    ? { status: 201; body: Body }
    : D extends { sends: string }
      ? { status: 200; body: null; contentType: string }
      : D extends { success: infer S extends Success }
        ? S
        : { status: 204; body: null }

type ParamsOf<P, A, D> = D extends { params: infer S extends Schema }
  ? { params: S }
  : A extends 'nobody'
    ? unknown
    : P extends `${string}/:id${string}`
      ? { params: typeof idParams }
      : unknown

/** The type of the endpoint that a declaration produces, with the literal types of its parts. */
type Declared<M extends Method, P extends string, A extends Access, D> = Omit<
  D,
  'returns' | 'creates' | 'sends' | 'success' | 'errors'
> & {
  method: M
  path: P
  access: A
  tag: string
  success: SuccessOf<D>
  errors: readonly ErrorCode[]
} & ParamsOf<P, A, D>

function toSuccess(returns?: Schema, creates?: Schema, sends?: string): Success {
  if (returns) return { status: 200, body: returns }
  if (creates) return { status: 201, body: creates }
  return sends === undefined ? { status: 204, body: null } : { status: 200, body: null, contentType: sends }
}

/** Properties that all endpoints of one `declareEndpoints` call share. */
interface Shared {
  dialect?: Dialect
  /** The error for an `:id` that no object has. It is added to each endpoint with `:id` in its path. */
  notFound?: ErrorCode
}

/** Returns the errors that follow from an endpoint's access, from its input, and from an `:id` in its path. */
function impliedErrors(
  path: string,
  access: Access,
  declaration: EndpointOptions,
  { dialect, notFound }: Shared,
): ErrorCode[] {
  const codes: ErrorCode[] = []
  if (access !== 'public') codes.push('UNAUTHENTICATED')
  if (access !== 'public' && dialect === 'hosted-auth') codes.push('BAD_JWT', 'SESSION_NOT_FOUND')
  if (access !== 'public' && access !== 'signed-in') codes.push(declaration.refusal ?? 'FORBIDDEN')
  if (typeof access === 'object') codes.push('TOO_MANY_REQUESTS')
  if (declaration.needsRecentSignIn) codes.push('REAUTHENTICATION_REQUIRED')
  if (declaration.query ?? declaration.body) codes.push('INVALID_INPUT')
  if (notFound && path.includes('/:id')) codes.push(notFound)
  return codes
}

/**
 * Creates the functions that declare the endpoints of one tag: `get('/api/orders/:id', 'signed-in', { … })`. In a path
 * with `:id`, the id must be a UUID unless `params` says otherwise. Calls with the access `nobody` are refused before
 * anything is parsed.
 */
export function declareEndpoints(tag: string, shared: Shared = {}) {
  const declare =
    <M extends Method>(method: M) =>
    <const P extends `/${string}`, const A extends Access, const D extends Declaration>(
      path: P,
      access: A,
      declaration: D,
    ): Declared<M, P, A, D> => {
      const { returns, creates, sends, success, errors = [], ...options } = declaration as Declaration
      const endpoint: Endpoint = {
        ...(access !== 'nobody' && path.includes('/:id') && { params: idParams }),
        ...options,
        ...(shared.dialect && { dialect: shared.dialect }),
        method,
        path,
        tag,
        access,
        success: success ?? toSuccess(returns, creates, sends),
        errors: [...impliedErrors(path, access, options, shared), ...errors],
      }
      // TypeScript cannot infer the type of this object, so `Declared` describes it.
      return endpoint as unknown as Declared<M, P, A, D>
    }
  const get = declare('GET')
  const post = declare('POST')
  const put = declare('PUT')
  const del = declare('DELETE')

  /**
   * Declares a list that clients read page by page. `of` is the schema of a row, and `filter` adds the query
   * parameters that narrow the list.
   */
  const list = <
    const P extends `/${string}`,
    const A extends Access,
    S extends Schema,
    F extends Shape = NoFilter,
  >(
    path: P,
    access: A,
    { of, filter, ...options }: ListDeclaration<S, F>,
  ) =>
    get(path, access, {
      ...options,
      query: z.object({ ...pageQuery, ...(filter as F) }),
      returns: z.array(of),
    })

  /**
   * Declares the two endpoints that add an object (`POST …`) and change it (`PUT …/:id`, with its revision). `errors`
   * apply to both.
   */
  function declareWrites<const A extends Access, S extends Schema, C extends Schema, U extends Schema>(
    path: `/${string}`,
    access: A,
    { returns, create, update, errors = [] }: WritesDeclaration<S, C, U>,
  ) {
    return {
      create: post(path, access, {
        summary: create.summary,
        body: create.body,
        creates: returns,
        errors: [...errors, ...(create.errors ?? []), 'IDEMPOTENCY_KEY_REUSED'],
      }),
      update: put(`${path}/:id`, access, {
        summary: update.summary,
        body: update.body,
        returns,
        errors: [...errors, ...(update.errors ?? []), 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
      }),
    }
  }

  /** Declares the two endpoints that move an object to the trash (`DELETE …/:id`) and back (`POST …/:id/restore`). */
  function declareTrash<const A extends Access, S extends Schema>(
    path: `/${string}`,
    access: A,
    { name, returns, remove = [], restore = [] }: TrashDeclaration<S>,
  ) {
    return {
      remove: del(`${path}/:id`, access, {
        summary: `Move ${name} to the trash, which keeps it for ${TRASH_DAYS} days`,
        current: returns,
        errors: [...remove, 'PRECONDITION_FAILED'],
      }),
      restore: post(`${path}/:id/restore`, access, {
        summary: `Restore ${name} from the trash`,
        returns,
        errors: restore,
      }),
    }
  }

  /**
   * Creates a function that declares actions on one kind of object. The actions share access, response and errors:
   * `action('reserve', 'Reserve free pieces', { body })` declares `POST …/:id/reserve`. An action can add `errors` of
   * its own.
   */
  const declareActions =
    <const P extends string, const A extends Access, S extends Schema>(
      path: `/${P}/:id`,
      access: A,
      common: { returns: S; errors?: readonly ErrorCode[] },
    ) =>
    <const Name extends string, const D extends Pick<Declaration, 'body' | 'errors'> = object>(
      name: Name,
      summary: string,
      further?: D,
    ) => {
      const errors = [...(common.errors ?? []), ...(further?.errors ?? [])]
      return post(`${path}/${name}`, access, { ...(further as D), summary, returns: common.returns, errors })
    }

  return {
    get,
    list,
    post,
    put,
    patch: declare('PATCH'),
    del,
    declareWrites,
    declareTrash,
    declareActions,
  }
}

type Shape = Readonly<Record<string, Schema>>
type NoFilter = Record<never, never>

interface ListDeclaration<S extends Schema, F extends Shape> extends Omit<EndpointOptions, 'query' | 'body'> {
  of: S
  filter?: F
  errors?: readonly ErrorCode[]
}

interface Write<Body extends Schema> {
  summary: string
  body: Body
  /** Errors of this call only, in addition to the errors of both calls. */
  errors?: readonly ErrorCode[]
}

interface WritesDeclaration<S extends Schema, C extends Schema, U extends Schema> {
  returns: S
  create: Write<C>
  update: Write<U>
  errors?: readonly ErrorCode[]
}

interface TrashDeclaration<S extends Schema> {
  /** The name of the object in the summaries, such as `a location`. */
  name: string
  returns: S
  /** Additional errors: `remove` contains those of the deletion, and `restore` those of the restoration. */
  remove?: readonly ErrorCode[]
  restore?: readonly ErrorCode[]
}

type OutputOf<S> = S extends Schema ? z.output<S> : undefined
type InputOf<S> = S extends Schema ? z.input<S> : undefined

/** Input of the server's handler: the declared parts after parsing. */
export interface RequestOf<E extends Endpoint> {
  params: OutputOf<E['params']>
  query: OutputOf<E['query']>
  body: OutputOf<E['body']>
}

/** Input of a client's call. */
export interface CallOf<E extends Endpoint> {
  params?: InputOf<E['params']>
  query?: InputOf<E['query']>
  body?: InputOf<E['body']>
}

/** Body of a successful response. */
export type ResponseOf<E extends Endpoint> =
  | (E['success'] extends { body: infer S } ? OutputOf<S> : undefined)
  | (E extends { accepted: infer S } ? OutputOf<S> : never)
