import * as z from 'zod/mini'
import { declareEndpoints } from './endpoint.ts'

const { get } = declareEndpoints('platform')

export const getHealth = get('/healthz', 'public', {
  summary: 'Whether the process is alive',
  returns: z.object({ status: z.literal('ok') }),
})

export const getReadiness = get('/readyz', 'public', {
  summary: 'Whether database and object storage are reachable',
  returns: z.object({
    status: z.literal('ok'),
    checks: z.object({
      database: z.literal('ok'),
      /** `full` means that uploads are refused, but everything else works. */
      storage: z.enum(['ok', 'full']),
    }),
  }),
  errors: ['UNAVAILABLE'],
})
