import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'

/** What the shop holds, counted. `total_revenue` is in the configured currency. */
export const stats = z.object({
  total_files: z.number(),
  total_products: z.number(),
  total_inventory: z.number(),
  total_filaments: z.number(),
  total_orders: z.number(),
  pending_orders: z.number(),
  low_stock_items: z.number(),
  total_revenue: z.number(),
})
export type Stats = z.output<typeof stats>

export const getStats = defineEndpoint({
  method: 'GET',
  path: '/api/stats',
  summary: 'The figures of the dashboard',
  tag: 'stats',
  access: 'signed-in',
  success: { status: 200, body: stats },
  errors: ['UNAUTHENTICATED'],
})
