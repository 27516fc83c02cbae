import type { LoggerOptions } from 'pino'

/** Structured lines on standard output. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
  redact: {
    paths: [
      'password',
      'token',
      'authorization',
      'secret',
      '*.password',
      '*.token',
      '*.authorization',
      '*.secret',
    ],
    censor: '[redacted]',
  },
})
