import type { Queryable } from '../../../../platform/database/database.ts'
import type { MainSite } from '../../../products/index.ts'
import type { OrderRow } from '../../orders.queries.ts'

/**
 * The sources of orders whose parcels are reported to each kind of shop. A shop with our own contract may send its
 * orders through the integration. Other shops do not, so an order from the integration could have the number of another
 * customer's order there.
 */
const REPORTED_SOURCES: Readonly<Record<MainSite['kind'], readonly string[]>> = {
  pegasus: ['main_site', 'integration'],
  woocommerce: ['main_site'],
  shopify: ['main_site'],
}

/** Returns the SQL condition for orders `o` that are reported to a shop. It matches the rule of `isReportedToShop`. */
export const isReported = (sql: Queryable, kind: MainSite['kind']) => sql`(
  o.source = any (${[...REPORTED_SOURCES[kind]]}) and (${kind === 'pegasus'} or o.external_id is not null)
)`

/** Returns whether the shipments of an order are reported to a shop. `kind` is null if no shop is configured. */
export const isReportedToShop = (
  { source, external_id: externalId }: Pick<OrderRow, 'source' | 'external_id'>,
  kind: MainSite['kind'] | null,
): boolean =>
  kind !== null && REPORTED_SOURCES[kind].includes(source) && (kind === 'pegasus' || externalId !== null)

/** The kinds of shops whose adapters can change the tracking of a reported parcel. */
const CHANGING_TRACKING: readonly MainSite['kind'][] = ['woocommerce', 'shopify']

/** Returns whether the server sends changed tracking of an order's reported shipments to the shop. */
export const sendsChangedTracking = (
  order: Pick<OrderRow, 'source' | 'external_id'>,
  kind: MainSite['kind'] | null,
): boolean => kind !== null && CHANGING_TRACKING.includes(kind) && isReportedToShop(order, kind)
