import type { FastifyBaseLogger } from 'fastify'

/** The log as the platform uses it, with pino's four usual levels. */
export type ServiceLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>
