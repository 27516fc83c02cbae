import { fieldOf } from '../main-site-answer.ts'
import type { ChangedTracking, TrackingOutcome } from '../shop-orders.ts'
import { failed } from '../site-calls.ts'
import type { ShopifyGraphql } from './shopify-graphql.ts'
import { listOf, textIn } from './shopify-order.ts'

const SHOWN = `query ParcelTracking($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Fulfillment { id status trackingInfo(first: 1) { company number url } } }
}`

const CHANGE = `mutation ChangeTracking($id: ID!, $tracking: FulfillmentTrackingInput!) {
  set: fulfillmentTrackingInfoUpdate(fulfillmentId: $id, trackingInfoInput: $tracking, notifyCustomer: true) {
    fulfillment { id } userErrors { message }
  }
}`

const NO_PARCEL = 'The shop has no parcel of this shipment.'

/**
 * Changes the tracking of fulfillments in a Shopify shop. The shop sends the customer a message for each change. So
 * fulfillments that already have the tracking are skipped, and so are cancelled ones.
 */
export async function changeTracking(
  { ask, change }: ShopifyGraphql,
  {
    parcel_ids: ids,
    is_repeated: isRepeated,
    carrier,
    tracking_number: number,
    tracking_url: url,
  }: ChangedTracking,
  leftMs: () => number,
): Promise<TrackingOutcome> {
  const impossible = { ...failed(null, NO_PARCEL), isImpossible: true } as const
  if (ids.length === 0) return impossible
  const asked = await ask(SHOWN, { ids }, leftMs)
  if (!asked.ok) return asked
  const nodes = listOf(fieldOf(asked.data, 'nodes'))
  if (nodes.length !== ids.length)
    return failed(asked.status, 'The response of the shop does not contain the parcels.')
  const sent = nodes.filter((node) => textIn(node, 'id') !== '' && textIn(node, 'status') !== 'CANCELLED')
  if (sent.length === 0) return impossible
  for (const node of sent) {
    const shown = listOf(fieldOf(node, 'trackingInfo'))[0]
    // For a carrier that the shop knows, it adds a link of its own to the tracking number.
    const hasLink = textIn(shown, 'url') === (url ?? '') || (url === null && isRepeated)
    if (textIn(shown, 'company') === (carrier ?? '') && textIn(shown, 'number') === (number ?? '') && hasLink)
      continue
    const tracking = { company: carrier, number, url }
    const answer = await change(CHANGE, { id: textIn(node, 'id'), tracking }, leftMs)
    if (!answer.ok) return answer
  }
  return { ok: true, status: 200, body: null }
}
