import { getStats } from '@pegasus/contracts/stats'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'

/** The figures of the dashboard. */
export function addStats(endpoints: Endpoints, deps: { database: Database }): void {
  endpoints.add(getStats, async () => {
    const [row] = await deps.database.sql<[{ total_files: number }]>`
      select count(*)::int as total_files from stl_files where deleted_at is null`
    return {
      total_files: row.total_files,
      total_products: 0,
      total_inventory: 0,
      total_filaments: 0,
      total_orders: 0,
      pending_orders: 0,
      low_stock_items: 0,
      total_revenue: 0,
    }
  })
}
