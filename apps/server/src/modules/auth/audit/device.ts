import type { FastifyRequest } from 'fastify'
import { type RequestOrigin, requestOriginOf } from '../../../platform/actor.ts'

/** The device that sent a request, with the id of the request. */
export interface Device extends RequestOrigin {
  userAgent: string | null
}

export const deviceOf = (request: FastifyRequest): Device => ({
  ...requestOriginOf(request),
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
})
