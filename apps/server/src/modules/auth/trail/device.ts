import type { FastifyRequest } from 'fastify'
import { type Origin, originOf } from '../../../platform/actor.ts'

/** The device that a request comes from, and the request. */
export interface Device extends Origin {
  userAgent: string | null
}

export const deviceOf = (request: FastifyRequest): Device => ({
  ...originOf(request),
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
})
