import * as z from 'zod/mini'
import { hostedSession } from './auth/hosted-auth.ts'
import { declareEndpoints } from './endpoint.ts'

const { get, post, del } = declareEndpoints('demo')

/** The state of the demo. `failed` means that the last demo could not be made, and was removed. */
export const DEMO_STATES = ['none', 'making', 'ready', 'removing', 'failed'] as const

const demoStatus = z.object({
  state: z.enum(DEMO_STATES),
  /** How much of the demo has been made, in percent from 0 to 100. */
  percent: z.number(),
  /** Whether the server has the right to create the demo's database. */
  can_be_made: z.boolean(),
})
export type DemoStatus = z.output<typeof demoStatus>

/** The header with which a page of the demo marks its requests, so that none of them reaches the real shop. */
export const DEMO_HEADER = 'pegasus-demo'
/** The cookie of a browser that visits the demo. */
export const DEMO_COOKIE = 'pegasus_demo'

export const getDemo = get('/api/demo', 'admin', {
  summary: 'Whether there is a demo, and how much of it is made',
  returns: demoStatus,
})

export const makeDemo = post('/api/demo', 'admin', {
  summary: 'Make a demo: example data in a database of its own. Changes nothing if there is a demo already',
  returns: demoStatus,
  errors: ['DEMO_RIGHT_MISSING', 'DEMO_UNAVAILABLE'],
})

export const removeDemo = del('/api/demo', 'admin', {
  summary: 'Remove the demo with its database and its files',
  returns: demoStatus,
  errors: ['DEMO_BUSY', 'DEMO_UNAVAILABLE'],
})

export const enterDemo = post('/api/demo/visit', 'admin', {
  summary:
    'Enter the demo: sets the cookie of the visit, and returns a session that is valid only in the demo',
  returns: hostedSession,
  errors: ['DEMO_NOT_READY', 'DEMO_SLOW', 'DEMO_UNAVAILABLE'],
})

export const leaveDemo = del('/api/demo/visit', 'public', {
  summary: 'Leave the demo: removes the cookie of the visit',
})
