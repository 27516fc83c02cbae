import * as z from 'zod/mini'
import { declareEndpoints } from './endpoint.ts'

/** `off` means that no malware scanner is configured. */
export const SCANNER_STATES = ['off', 'ok', 'failed'] as const

const { get } = declareEndpoints('platform')

export const getHealth = get('/healthz', 'public', {
  summary: 'Whether the process is alive',
  returns: z.object({ status: z.literal('ok') }),
})

export const getReadiness = get('/readyz', 'public', {
  summary: 'Whether database, object storage and malware scanner are reachable',
  returns: z.object({
    status: z.literal('ok'),
    checks: z.object({
      database: z.literal('ok'),
      /** `full` means that uploads are refused, but everything else works. */
      storage: z.enum(['ok', 'full']),
      /**
       * State of the malware scanner. Absent if none is configured. `failed` means that uploads are refused, but
       * everything else works.
       */
      scanner: z.optional(z.enum(SCANNER_STATES)),
    }),
  }),
  errors: ['UNAVAILABLE'],
})
