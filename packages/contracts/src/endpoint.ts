import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Access } from './roles.ts'

/** A zod schema of either flavour; the server reads full and mini schemas alike. */
export type Schema<T = unknown> = z.ZodMiniType<T>

/** What a successful call answers with: JSON by schema, nothing (204), a redirect (303), or bytes that no schema describes. */
export type Success =
  | { status: 200 | 201 | 202; body: Schema }
  | { status: 204 | 303; body: null }
  | { status: 200; body: null; contentType: string }

/**
 * One call of the product, declared once. The server registers, validates and serialises by it, the client
 * calls by it, and the OpenAPI document is derived from it.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:name` parameters. */
  path: `/${string}`
  /** Other paths at which the same call answers. */
  aliases?: readonly `/${string}`[]
  summary: string
  tag: string
  /** The least that a caller must be; decided before anything of the request but its headers is read. */
  access: Access
  /** What is said to a caller who is less than that, where the usual FORBIDDEN is not the specified sentence. */
  refusal?: ErrorCode
  /** Whether a signed address (see `thumbnail_path`) opens it as well as a bearer token does. */
  isSignable?: boolean
  /** Whether a browser that opens the address gets the app, which asks again with a token; programs get the answer. */
  isAlsoPage?: boolean
  /** Whether it needs a sign-in, or a re-authentication, of the last 15 minutes: what would outlast a stolen session. */
  needsRecentSignIn?: boolean
  /** Whether it works while the account's generated password still has to be changed. */
  worksBeforePasswordChange?: boolean
  /** Whether it works in a session that has still to prove its account's second factor. */
  worksBeforeSecondFactor?: boolean
  /** What such a session is told, where the hosted protocol has a status of its own for the call. */
  refusalBeforeSecondFactor?: ErrorCode
  /** Whose words errors are told in: ours, or the hosted auth, storage or database service's. */
  dialect?: 'product' | 'hosted-auth' | 'hosted-storage' | 'hosted-rest'
  params?: Schema
  query?: Schema
  body?: Schema
  /**
   * Name of the part that carries a file. The body is then a multipart form that the handler streams, and
   * `body` describes its text fields.
   */
  fileField?: string
  /** Whether the body is bytes of any kind, which the handler streams itself. */
  isRawBody?: boolean
  success: Success
  /** Another way to succeed: the same body as an update rather than a new thing (200), or nothing to answer (204). */
  alternative?: 200 | 204
  /** What a 202 answers with, where the call may begin work that goes on in the background. */
  accepted?: Schema
  /** The object as it is now, which a stale change is told; where left out, what the call answers with otherwise. */
  current?: Schema
  errors: readonly ErrorCode[]
}

/** Keeps the literal types of a declaration while checking its shape. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint

type OutputOf<S> = S extends Schema ? z.output<S> : undefined
type InputOf<S> = S extends Schema ? z.input<S> : undefined

/** What the server's handler reads: the declared parts after parsing. */
export interface RequestOf<E extends Endpoint> {
  params: OutputOf<E['params']>
  query: OutputOf<E['query']>
  body: OutputOf<E['body']>
}

/** What a client sends. */
export interface CallOf<E extends Endpoint> {
  params?: InputOf<E['params']>
  query?: InputOf<E['query']>
  body?: InputOf<E['body']>
}

/** What comes back from a successful call. */
export type ResponseOf<E extends Endpoint> =
  | (E['success'] extends { body: infer S } ? OutputOf<S> : undefined)
  | (E extends { accepted: infer S } ? OutputOf<S> : never)
