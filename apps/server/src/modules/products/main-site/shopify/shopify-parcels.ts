import { fieldOf } from '../main-site-answer.ts'
import type { CancelOutcome, ReportOutcome, ShopCompletion, ShopShipment } from '../shop-orders.ts'
import { failed, type SiteFailure } from '../site-calls.ts'
import { nodesOfAllPages, type ShopifyGraphql } from './shopify-graphql.ts'
import { lineIdOf, numberIn, skuOf, SOLD, textIn } from './shopify-order.ts'

/**
 * Sizes of the queries. Shopify refuses a query that costs more than 1,000 points. These queries cost at most 794 and
 * 804 points.
 */
const PARCELS_AT_ONCE = 5
const LINES_OF_PARCEL = 30
const MORE_PARCEL_LINES_AT_ONCE = 160

/** Maximum number of lines of a fulfillment. Shopify refuses more. */
const LINES_OF_FULFILLMENT = 512

const PARCEL_LINES = `pageInfo { hasNextPage endCursor } nodes { id totalQuantity remainingQuantity lineItem { quantity ${SOLD} } }`

const OPEN_PARCELS = `query Parcels($id: ID!, $after: String) {
  order(id: $id) {
    fulfillmentOrders(first: ${PARCELS_AT_ONCE}, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id status assignedLocation { location { id } } lineItems(first: ${LINES_OF_PARCEL}) { ${PARCEL_LINES} } }
    }
  }
}`

const MORE_PARCEL_LINES = `query ParcelLines($id: ID!, $after: String) {
  fulfillmentOrder(id: $id) { lineItems(first: ${MORE_PARCEL_LINES_AT_ONCE}, after: $after) { ${PARCEL_LINES} } }
}`

const FULFIL = `mutation Fulfil($fulfillment: FulfillmentInput!) {
  set: fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { message } }
}`

const STATES = `query SentParcels($ids: [ID!]!) { nodes(ids: $ids) { ... on Fulfillment { id status updatedAt } } }`

const CANCEL = `mutation CancelParcel($id: ID!) {
  set: fulfillmentCancel(id: $id) { fulfillment { id status updatedAt } userErrors { message } }
}`

const HELD_BACK = 'The shop holds back pieces of this parcel. Please release them there.'

const EARLIER_FIRST =
  'The shop may already count pieces of an earlier parcel as sent. This parcel is reported after that one.'

const STILL_EXPECTED =
  'The shop still expects pieces that are not sent. Please refund them there, or mark them as sent.'

const notThere = (items: Reported['items']): string =>
  `The shop has no line for ${items.map(({ name, sku, quantity }) => `${quantity} of “${name || sku}”`).join(', ')}. Please mark these pieces as sent there.`

/**
 * Statuses of parcels that the shop can send now (OPEN), and of parcels from which it will send no more pieces (ENDED).
 * A parcel with any other status is held back.
 */
const OPEN = ['OPEN', 'IN_PROGRESS']
const ENDED = ['CLOSED', 'CANCELLED']

/** A line of a parcel: pieces of an order that the shop will send, or has sent. */
interface ParcelLine {
  fulfillmentOrderId: string
  locationId: string
  id: string
  sku: string
  isOpen: boolean
  isHeldBack: boolean
  remaining: number
  /** Pieces that the shop already counts as sent. */
  sent: number
  /** The shop's id of the ordered line, or an empty text if unknown. `ordered` is the number of its pieces, or 0. */
  lineId: string
  ordered: number
}

const parcelLine = (parcel: unknown, line: unknown, lineSkus: ShopShipment['line_skus']): ParcelLine => {
  const status = textIn(parcel, 'status')
  const sold = fieldOf(line, 'lineItem')
  return {
    fulfillmentOrderId: textIn(parcel, 'id'),
    locationId: textIn(fieldOf(fieldOf(parcel, 'assignedLocation'), 'location'), 'id'),
    id: textIn(line, 'id'),
    sku: lineSkus[lineIdOf(sold)] ?? skuOf(sold),
    isOpen: OPEN.includes(status),
    isHeldBack: !OPEN.includes(status) && !ENDED.includes(status),
    remaining: numberIn(line, 'remainingQuantity'),
    sent: numberIn(line, 'totalQuantity') - numberIn(line, 'remainingQuantity'),
    lineId: lineIdOf(sold),
    ordered: numberIn(sold, 'quantity'),
  }
}

/**
 * Returns the lines without the pieces of cancelled fulfillments. When a fulfillment is cancelled, Shopify closes its
 * fulfillment order, which still counts the pieces as sent, and adds a new one with the same pieces. So if a line has
 * more sent and open pieces than were ordered, the excess in closed fulfillment orders was cancelled.
 */
function withoutCancelled(lines: readonly ParcelLine[]): ParcelLine[] {
  const excess = new Map<string, number>()
  for (const [id, own] of Map.groupBy(lines, ({ lineId }) => lineId)) {
    const ordered = own[0]?.ordered ?? 0
    const known = own.reduce((sum, line) => sum + line.sent + line.remaining, 0)
    if (id !== '' && ordered > 0) excess.set(id, Math.max(0, known - ordered))
  }
  return lines.map((line) => {
    const isEnded = !line.isOpen && !line.isHeldBack
    const cancelled = isEnded ? Math.min(line.sent, excess.get(line.lineId) ?? 0) : 0
    if (cancelled > 0) excess.set(line.lineId, (excess.get(line.lineId) ?? 0) - cancelled)
    return { ...line, sent: line.sent - cancelled }
  })
}

/**
 * Returns the shop's open lines for the pieces of a shipment, matched by SKU. They are grouped by location, because a
 * fulfillment can contain pieces of only one location, and at most `LINES_OF_FULFILLMENT` lines. Pieces that the shop already counts as sent are left out. A
 * report whose response was lost can therefore be repeated without sending anything twice. Also returns the added
 * pieces, and whether the shop holds back other pieces of the shipment.
 */
function linesToFulfil(
  lines: readonly ParcelLine[],
  { sent_so_far: sentSoFar, ordered, is_last: isLast, isCompletion = false }: Reported,
) {
  /** Returns how many pieces of each SKU the shop still has to send to reach these totals. */
  const leftUntil = (totals: Reported['ordered']) =>
    new Map(
      totals.map(({ sku, quantity }) => {
        const known = lines.filter((line) => line.sku === sku).reduce((sum, line) => sum + line.sent, 0)
        return [sku, quantity - known]
      }),
    )
  // If the shop has changed a SKU, the pieces cannot be told apart.
  const isUnclear = (isCompletion ? ordered : sentSoFar).some(({ sku }) =>
    lines.every((line) => line.sku !== sku),
  )
  const isKnown = ({ sku }: ParcelLine) => ordered.some((each) => each.sku === sku)
  const take = (from: readonly ParcelLine[], left: Map<string, number>, isEach: boolean) =>
    from.flatMap((line) => {
      const isWhole = isEach && !isKnown(line)
      const quantity = isWhole ? line.remaining : Math.min(line.remaining, left.get(line.sku) ?? 0)
      if (quantity < 1) return []
      left.set(line.sku, (left.get(line.sku) ?? 0) - quantity)
      return [{ ...line, quantity }]
    })
  // After the last shipment, all ordered pieces should be sent, for example also those of an ignored SKU. Pieces that
  // the shop has added to the order in the meantime are in no shipment.
  const left = leftUntil(isLast ? ordered : sentSoFar)
  const taken = take(
    lines.filter(({ isOpen }) => isOpen),
    left,
    isLast && isUnclear,
  )
  // Held back pieces matter only if they are in the shipment. Others may be, for example, those of an ignored SKU.
  const heldLeft = isCompletion ? left : leftUntil(sentSoFar)
  if (!isCompletion)
    for (const { sku, quantity } of taken) heldLeft.set(sku, (heldLeft.get(sku) ?? 0) - quantity)
  const held = take(
    lines.filter((line) => line.isHeldBack),
    heldLeft,
    isLast && isUnclear,
  )
  const isHeldBack = held.length > 0
  const added = taken.map(({ sku, quantity }) => ({ sku, quantity }))
  const parts = [...Map.groupBy(taken, ({ locationId }) => locationId).values()].flatMap((ofLocation) =>
    Array.from({ length: Math.ceil(ofLocation.length / LINES_OF_FULFILLMENT) }, (_, index) =>
      ofLocation.slice(index * LINES_OF_FULFILLMENT, (index + 1) * LINES_OF_FULFILLMENT),
    ),
  )
  const byLocation = parts.map((ofLocation) =>
    [...Map.groupBy(ofLocation, (line) => line.fulfillmentOrderId)].map(([fulfillmentOrderId, lines]) => ({
      fulfillmentOrderId,
      fulfillmentOrderLineItems: lines.map(({ id, quantity }) => ({ id, quantity })),
    })),
  )
  return { byLocation, isHeldBack, added }
}

/**
 * Returns whether the shop counts more pieces of a SKU as sent than were reported in all parcels. If an earlier parcel
 * also contains the SKU and its report failed, the pieces may be those of that parcel.
 */
const mayHaveEarlierPieces = (
  lines: readonly ParcelLine[],
  { items, sent_so_far: sentSoFar, unreported_earlier: earlier }: ShopShipment,
): boolean =>
  items.some(({ sku, quantity }) => {
    const counted = lines.reduce((sum, line) => sum + (line.sku === sku ? line.sent : 0), 0)
    const soFar = sentSoFar.find((each) => each.sku === sku)?.quantity ?? 0
    return earlier.includes(sku) && counted > soFar - quantity
  })

/**
 * Returns the pieces of a shipment for which the shop has no line. None are missing in the last shipment, which sends
 * all pieces that the shop still expects, or if the shop expects no more pieces of the order.
 */
function findLacking(lines: readonly ParcelLine[], { items, is_last: isLast }: Reported): Reported['items'] {
  const isExpected = lines.some((line) => (line.isOpen || line.isHeldBack) && line.remaining > 0)
  if (isLast || !isExpected) return []
  return items.filter(({ sku }) => lines.every((line) => line.sku !== sku))
}

/** Returns the lines of all parcels of an order, sent or not. Returns null if there is no such order. */
async function readParcelLines(
  { ask }: ShopifyGraphql,
  { id, lineSkus }: { id: string; lineSkus: ShopShipment['line_skus'] },
  leftMs: () => number,
): Promise<{ ok: true; lines: ParcelLine[] | null } | SiteFailure> {
  const askFrom = async (after: string | null) => {
    const outcome = await ask(OPEN_PARCELS, { id, after }, leftMs)
    if (!outcome.ok) return outcome
    const order = fieldOf(outcome.data, 'order')
    return { ok: true, order, page: fieldOf(order, 'fulfillmentOrders') } as const
  }
  const first = await askFrom(null)
  if (!first.ok) return first
  if (!first.order) return { ok: true, lines: null }
  const parcels = await nodesOfAllPages(first.page, askFrom)
  if (!parcels.ok) return parcels
  const lines: ParcelLine[] = []
  for (const parcel of parcels.nodes.filter((each) => textIn(each, 'status') !== 'CANCELLED')) {
    const all = await nodesOfAllPages(fieldOf(parcel, 'lineItems'), async (after) => {
      const outcome = await ask(MORE_PARCEL_LINES, { id: textIn(parcel, 'id'), after }, leftMs)
      if (!outcome.ok) return outcome
      return { ok: true, page: fieldOf(fieldOf(outcome.data, 'fulfillmentOrder'), 'lineItems') }
    })
    if (!all.ok) return all
    lines.push(...all.nodes.map((line) => parcelLine(parcel, line, lineSkus)))
  }
  return { ok: true, lines: withoutCancelled(lines) }
}

/** A report: the tracking of a parcel, and the pieces that the shop should count as sent afterwards. */
type Reported = Pick<
  ShopShipment,
  'carrier' | 'tracking_number' | 'tracking_url' | 'items' | 'sent_so_far' | 'ordered' | 'is_last'
> & {
  /** Whether the report completes an order without a parcel, and is for all pieces that the shop still expects. */
  isCompletion?: boolean
  /** Whether the customer gets no message about these pieces. */
  isQuiet?: boolean
}

/** A report of all ordered pieces, without a parcel. */
const WITHOUT_PARCEL: Omit<Reported, 'ordered'> = {
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  items: [],
  sent_so_far: [],
  is_last: true,
  isCompletion: true,
}

/** Returns the outcome of a report that failed before it asked the shop to send pieces. */
const withoutPieces = (failure: SiteFailure): ReportOutcome => ({ ...failure, added: [] })

/**
 * Fulfills the lines of a shipment, with one fulfillment for each location. Fails if the shop has no line for some
 * pieces, or holds back some of them.
 */
async function fulfil(
  graphql: ShopifyGraphql,
  lines: readonly ParcelLine[],
  shipment: Reported,
  leftMs: () => number,
): Promise<ReportOutcome> {
  const { byLocation, isHeldBack, added } = linesToFulfil(lines, shipment)
  const trackingInfo = {
    company: shipment.carrier,
    number: shipment.tracking_number,
    url: shipment.tracking_url,
  }
  const parcels: string[] = []
  for (const [index, lineItemsByFulfillmentOrder] of byLocation.entries()) {
    const notifyCustomer = shipment.isQuiet !== true
    const fulfillment = { lineItemsByFulfillmentOrder, notifyCustomer, trackingInfo }
    const answer = await graphql.change(FULFIL, { fulfillment }, leftMs)
    if (!answer.ok) return { ...answer, isPartlyAdded: index > 0, parcels }
    const id = textIn(fieldOf(answer.set, 'fulfillment'), 'id')
    if (id !== '') parcels.push(id)
  }
  const lacking = findLacking(lines, shipment)
  if (lacking.length > 0)
    return { ...failed(null, notThere(lacking)), isPartlyAdded: byLocation.length > 0, added, parcels }
  if (isHeldBack) return { ...failed(null, HELD_BACK), isPartlyAdded: byLocation.length > 0, added, parcels }
  // If no pieces were left, they were sent before: by an earlier call whose response was lost, or by a person in the
  // shop.
  return { ok: true, status: 200, body: null, wasKnown: byLocation.length === 0, added, parcels }
}

/**
 * Reports a shipment to a Shopify shop, with one fulfillment for each location. If the shop holds back pieces of the
 * shipment, reports the others and fails. A repeated report then contains only the rest.
 */
export async function reportParcel(
  graphql: ShopifyGraphql,
  shipment: ShopShipment,
  leftMs: () => number,
): Promise<ReportOutcome> {
  const id = `gid://shopify/Order/${shipment.external_id ?? ''}`
  const known = await readParcelLines(graphql, { id, lineSkus: shipment.line_skus }, leftMs)
  if (!known.ok) return withoutPieces(known)
  if (known.lines === null) return withoutPieces(failed(404, 'The shop has no such order.'))
  if (mayHaveEarlierPieces(known.lines, shipment)) return withoutPieces(failed(null, EARLIER_FIRST))
  return fulfil(graphql, known.lines, shipment, leftMs)
}

/**
 * Completes an order in a Shopify shop, which counts an order as complete when all its pieces are sent. Reports the
 * ordered pieces that the shop still expects, for example those of an ignored SKU, as sent. If pieces were really not
 * sent, only a person can decide about them, so the report fails as long as the shop expects pieces. The customer gets
 * no message if a person chose not to report a parcel of the order.
 */
export async function completeOrder(
  graphql: ShopifyGraphql,
  {
    external_id: externalId,
    has_unsent_pieces: hasUnsentPieces,
    has_unreported_parcels: isQuiet,
    ordered,
    line_skus: lineSkus,
  }: ShopCompletion,
  leftMs: () => number,
): Promise<ReportOutcome> {
  const id = `gid://shopify/Order/${externalId ?? ''}`
  const known = await readParcelLines(graphql, { id, lineSkus }, leftMs)
  if (!known.ok) return withoutPieces(known)
  if (known.lines === null) return withoutPieces(failed(404, 'The shop has no such order.'))
  const isExpected = (line: ParcelLine) => (line.isOpen || line.isHeldBack) && line.remaining > 0
  if (hasUnsentPieces && known.lines.some(isExpected)) return withoutPieces(failed(null, STILL_EXPECTED))
  return fulfil(graphql, known.lines, { ...WITHOUT_PARCEL, ordered, isQuiet }, leftMs)
}

/**
 * Cancels fulfillments in a Shopify shop. Skips those that are already cancelled or that the shop no longer has, so the
 * call can be repeated. The shop refuses to cancel a delivered fulfillment.
 */
export async function cancelFulfillments(
  graphql: ShopifyGraphql,
  ids: readonly string[],
  leftMs: () => number,
): Promise<CancelOutcome> {
  const asked = await graphql.ask(STATES, { ids }, leftMs)
  if (!asked.ok) return asked
  const nodes = fieldOf(asked.data, 'nodes')
  let cancelledAt: Date | null = null
  for (const node of Array.isArray(nodes) ? (nodes as unknown[]) : []) {
    const id = textIn(node, 'id')
    if (id === '') continue
    let cancelled = node
    if (textIn(node, 'status') !== 'CANCELLED') {
      const answer = await graphql.change(CANCEL, { id }, leftMs)
      if (!answer.ok) return answer
      cancelled = fieldOf(answer.set, 'fulfillment')
    }
    const at = new Date(textIn(cancelled, 'updatedAt'))
    if (!Number.isNaN(at.getTime()) && (cancelledAt === null || at > cancelledAt)) cancelledAt = at
  }
  return { ok: true, status: 200, body: null, cancelledAt }
}
