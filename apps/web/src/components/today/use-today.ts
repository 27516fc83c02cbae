import { getFilamentForecast } from '@pegasus/contracts/filament/stock'
import { listInventory } from '@pegasus/contracts/inventory/items'
import { listOrders } from '@pegasus/contracts/orders/orders'
import { listUnknownSkus } from '@pegasus/contracts/orders/sku-mappings'
import { listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import { listPrinters } from '@pegasus/contracts/print-queue/printers'
import { listProducts } from '@pegasus/contracts/products/products'
import { hasRole, isAdmin } from '@pegasus/contracts/roles'
import { listUsers } from '@pegasus/contracts/users/users'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '@/lib/browser/use-now.ts'
import { DAY_MS } from '@/lib/format/durations.ts'
import { apiPageQuery, apiQuery } from '@/lib/http/api-queries.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { SHOWN, todayRows, type TodayRow } from './today-rows.ts'

const LIMIT = 20
/** Older failures are left out, because people have seen them or they no longer matter. */
const FAILED_WITHIN_MS = 7 * DAY_MS

// Each key has the prefix of its feature, so that the feature's events refresh the query.
const waitingPrinters = apiPageQuery(['printers', 'today'], listPrinters, {
  query: { needs_person: 'true', sort: 'attention', limit: SHOWN },
})
const unknownSkus = apiPageQuery(['orders', 'today', 'skus'], listUnknownSkus, {
  query: { state: 'unknown', limit: LIMIT },
})
const failedProducts = apiPageQuery(['products', 'today'], listProducts, {
  query: { status: 'failed', limit: LIMIT },
})
const lowStock = apiPageQuery(['inventory', 'today'], listInventory, {
  query: { low_stock_only: 'true', sort: 'quantity', limit: LIMIT },
})
const forecast = apiQuery(['filament', 'forecast'], getFilamentForecast)
const waitingAccounts = apiPageQuery(['users', 'today'], listUsers, {
  query: { status: 'waiting', limit: LIMIT },
})

/** Failed jobs that were not queued again. Only the first ones are shown, and all are counted. */
function failedJobs(nowMs: number) {
  // Use the start of the day, so that the query key stays the same all day.
  const since = new Date(nowMs - FAILED_WITHIN_MS)
  since.setHours(0, 0, 0, 0)
  const unresolved_since = since.toISOString()
  return apiPageQuery(['print-queue', 'today', unresolved_since], listPrintQueue, {
    query: { status: 'failed', unresolved_since, limit: SHOWN },
  })
}

function dueOrders() {
  const tomorrow = new Date()
  tomorrow.setHours(24, 0, 0, 0)
  const query = { due_before: tomorrow.toISOString(), limit: LIMIT }
  return apiPageQuery(['orders', 'today', query.due_before], listOrders, { query })
}

/**
 * Returns rows for everything that needs a person's attention now; null until everything is known. A source
 * that fails to load is left out.
 */
export function useToday(): TodayRow[] | null {
  const { role } = useCurrentUser()
  const nowMs = useNow()
  const printers = useQuery(waitingPrinters)
  const jobs = useQuery(failedJobs(nowMs))
  const orders = useQuery(dueOrders())
  const skus = useQuery({ ...unknownSkus, enabled: hasRole(role, 'staff') })
  const products = useQuery(failedProducts)
  const stock = useQuery(lowStock)
  const filament = useQuery(forecast)
  const accounts = useQuery({ ...waitingAccounts, enabled: isAdmin(role) })
  if ([printers, jobs, orders, skus, products, stock, filament, accounts].some(({ isLoading }) => isLoading))
    return null
  return todayRows(
    {
      printers: printers.data,
      jobs: jobs.data,
      orders: orders.data,
      skus: skus.data,
      products: products.data,
      stock: stock.data,
      forecast: filament.data,
      accounts: accounts.data,
    },
    role,
    nowMs,
  )
}
