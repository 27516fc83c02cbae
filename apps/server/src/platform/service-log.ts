import type { FastifyBaseLogger } from 'fastify'

/** What the parts of the platform need of the log: pino's four usual levels. */
export type ServiceLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>
