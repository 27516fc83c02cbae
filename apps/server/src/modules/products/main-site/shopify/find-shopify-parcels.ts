import { fieldOf } from '../main-site-answer.ts'
import type { UnconfirmedParcel } from '../shop-orders.ts'
import { failed, type SiteFailure } from '../site-calls.ts'
import { readLinesOfFulfillment } from './shopify-fulfillments.ts'
import type { ShopifyAsk } from './shopify-graphql.ts'
import { lineIdOf, listOf, numberIn, skuOf, textIn } from './shopify-order.ts'

/**
 * This query needs at most 301 points of Shopify's limit. It reads one tracking number, because nearly all fulfillments
 * have only one.
 */
const TRACKED = `query TrackedFulfillments($id: ID!) {
  order(id: $id) { fulfillments(first: 100) { id status trackingInfo(first: 1) { number } } }
}`

const MISSING = 'The response of the shop does not contain the fulfillments of an order.'

/**
 * Returns the ids of the fulfillments that a report has added in a Shopify shop although its response was lost.
 * `fulfillmentCreate` accepts no idempotency key, so they are recognized by the tracking number and the pieces.
 */
export async function findFulfillments(
  ask: ShopifyAsk,
  parcel: UnconfirmedParcel,
): Promise<{ ok: true; ids: string[] } | SiteFailure> {
  const asked = await ask(TRACKED, { id: `gid://shopify/Order/${parcel.external_id}` })
  if (!asked.ok) return asked
  const listed = fieldOf(fieldOf(asked.data, 'order'), 'fulfillments')
  if (!Array.isArray(listed)) return failed(asked.status, MISSING)
  const known = new Set([...parcel.own_ids, ...parcel.other_ids])
  const hasNumber = (each: unknown) =>
    listOf(fieldOf(each, 'trackingInfo')).some((info) => textIn(info, 'number') === parcel.tracking_number)
  const ids = listed
    .filter((each) => textIn(each, 'status') === 'SUCCESS' && hasNumber(each))
    .map((each) => textIn(each, 'id'))
    .filter((id) => !known.has(id))
  if (ids.length === 0) return { ok: true, ids }
  const missing = new Map(parcel.pieces)
  for (const id of [...parcel.own_ids, ...ids]) {
    const lines = await readLinesOfFulfillment(ask, id)
    if (!lines.ok) return lines
    for (const line of lines.nodes) {
      const sold = fieldOf(line, 'lineItem')
      const sku = (parcel.line_skus[lineIdOf(sold)] ?? skuOf(sold)).toUpperCase()
      missing.set(sku, (missing.get(sku) ?? 0) - numberIn(line, 'quantity'))
    }
  }
  const isParcel = [...missing].every(
    ([sku, pieces]) => pieces === 0 || (pieces < 0 && -pieces <= (parcel.ignored.get(sku) ?? 0)),
  )
  return { ok: true, ids: isParcel ? ids : [] }
}
