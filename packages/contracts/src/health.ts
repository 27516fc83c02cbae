import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'

export const getHealth = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  summary: 'The process is alive',
  tag: 'platform',
  access: 'public',
  success: { status: 200, body: z.object({ status: z.literal('ok') }) },
  errors: [],
})

const check = z.enum(['ok', 'failed'])

export const getReadiness = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  summary: 'Database and object storage are reachable',
  tag: 'platform',
  access: 'public',
  success: {
    status: 200,
    body: z.object({ status: z.literal('ok'), checks: z.object({ database: check, storage: check }) }),
  },
  errors: ['UNAVAILABLE'],
})
