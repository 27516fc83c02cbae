import type { FastifyRequest } from 'fastify'
import { type RequestOrigin, requestOriginOf } from '../../../platform/actor.ts'

/** The device and the id of a request. */
export interface Device extends RequestOrigin {
  userAgent: string | null
}

export const deviceOf = (request: FastifyRequest): Device => ({
  ...requestOriginOf(request),
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
})
