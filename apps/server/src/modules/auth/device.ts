import type { FastifyRequest } from 'fastify'

/** Where an attempt comes from. */
export interface Device {
  ip: string
  userAgent: string | null
}

export const deviceOf = (request: FastifyRequest): Device => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
})
