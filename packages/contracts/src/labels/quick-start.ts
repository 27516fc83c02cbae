import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { SLIP_PAPERS } from '../orders/papers.ts'

const { get } = declareEndpoints('labels')

export const getQuickStart = get('/api/quick-start', 'signed-in', {
  summary: 'The quick start as a PDF to print: the first steps, each with a QR code that opens its page',
  query: z.object({
    paper: z._default(z.enum(SLIP_PAPERS, `paper must be one of ${SLIP_PAPERS.join(', ')}`), 'a4'),
  }),
  sends: 'application/pdf',
  errors: ['UNAVAILABLE'],
})
