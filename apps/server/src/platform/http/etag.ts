import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

const ETAG = /^(?:W\/)?"(\d{1,9})"$/

export const etagOf = (revision: number): string => `"${revision}"`

/** Whether `If-None-Match` contains this `ETag`, which means that the client already has the current response. */
export function hasTag(request: FastifyRequest, tag: string): boolean {
  const header = request.headers['if-none-match']
  // A proxy that compresses a response adds `W/` to its tag.
  return header !== undefined && header.split(',').some((known) => known.trim().replace(/^W\//, '') === tag)
}

/** Returns the revision in `If-Match`. Null means any revision: the header is missing or is `*`. */
export function revisionIn(request: FastifyRequest): number | null {
  const header = request.headers['if-match']?.trim()
  if (header === undefined || header === '*') return null
  const revision = ETAG.exec(header)?.[1]
  // A tag in another format is not ours. No object has the revision -1.
  return revision === undefined ? -1 : Number(revision)
}

/**
 * Like `revisionIn`, for changes that the client may make only after reading the object. Throws
 * PRECONDITION_REQUIRED if the header is missing.
 */
export function requiredRevisionIn(request: FastifyRequest): number | null {
  if (request.headers['if-match'] === undefined) throw new AppError('PRECONDITION_REQUIRED')
  return revisionIn(request)
}
