import type { FastifyBaseLogger } from 'fastify'

/** The log that the platform uses, with the four usual levels of pino. */
export type ServiceLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>
