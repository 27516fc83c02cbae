import { addMs } from '../../../../platform/clock.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import type { Fragment } from '../../../../platform/database/search-patterns.ts'
import { firstRow } from '../../../../platform/database/first-row.ts'
import type { Row } from '../../../../platform/database/column-types.ts'
import type { MainSite } from '../../../products/index.ts'
import { type SentPieces, sentPiecesOf, sumBySku } from '../../intake/sent-pieces.ts'
import { type CountedLine, listCountedLines } from '../../handling/withdrawn-pieces.queries.ts'
import { REPORTED_WITHIN_MS } from './completions.queries.ts'
import { isReported } from './reported-orders.ts'

/** A shipment with parcels in the shop. */
export interface ParcelInShop extends Row<'shipments', 'id' | 'order_id' | 'shop_parcel_ids'> {
  external_id: string | null
  /**
   * The tracking number that a report of the shipment contained, if the shop may have parcels with it whose ids are not
   * known. Otherwise null.
   */
  unconfirmed_number: string | null
  /** The shop's ids of the parcels of other shipments of the order. */
  other_parcel_ids: string[]
}

/** An undone shipment whose parcels the shop still has. */
export interface ParcelToCancel extends ParcelInShop, Row<'shipments', 'cancel_attempts'> {}

/** SQL for the SKUs in a shipment as they were ordered. A part of a set counts as the set. */
const orderedSkusOf = (sql: Queryable, shipmentId: Fragment): Fragment => sql`
  array(select coalesce(whole.sku, l.sku)
        from shipment_lines p join order_lines l on l.id = p.order_line_id
        left join order_lines whole on whole.id = l.set_line_id
        where p.shipment_id = ${shipmentId})`

/**
 * SQL for the reported tracking number of a shipment `s`, if the response to a report may have been lost, so that
 * parcels whose ids are unknown may have this number. Null without a tracking number, because such a parcel cannot be
 * told apart from parcels of the shop's own staff. Also null if the report cannot have added a parcel.
 */
const unconfirmedNumber = (sql: Queryable): Fragment => sql`
  case when (s.tell_attempts > 0 or s.shop_parcel_ids = '{}') and not s.added_nothing_in_shop
       then nullif(s.told_tracking->>1, '') end`

/** SQL for the columns of `ParcelInShop`, for a shipment `s` of an order `o`. */
export const parcelInShop = (sql: Queryable): Fragment => sql`
  s.id, s.order_id, s.shop_parcel_ids, o.external_id, ${unconfirmedNumber(sql)} as unconfirmed_number,
  array(select unnest(other.shop_parcel_ids) from shipments other where other.order_id = o.id and other.id <> s.id) as other_parcel_ids`

/**
 * Lists the undone shipments whose parcels are due to be cancelled in a shop of this kind, longest due first. Leaves
 * out a shipment if the shop has already taken its pieces back. Also leaves it out if a shipment with one of its SKUs
 * was reported after the undo, because the shop then counts the pieces for the later one. With `id`, lists only this
 * shipment.
 */
export const listParcelsToCancel = (
  sql: Queryable,
  { now, limit, kind, id = null }: { now: Date; limit: number; kind: MainSite['kind']; id?: string | null },
): Promise<ParcelToCancel[]> =>
  sql<ParcelToCancel[]>`
    select ${parcelInShop(sql)}, s.cancel_attempts
    from shipments s join orders o on o.id = s.order_id
    where s.undone_at is not null and s.cancelled_in_shop_at is null
      and (s.shop_parcel_ids <> '{}' or ${unconfirmedNumber(sql)} is not null)
      and s.undone_at > ${addMs(now, -REPORTED_WITHIN_MS)} and coalesce(s.cancel_after, '-infinity') <= ${now}
      and o.deleted_at is null and ${isReported(sql, kind)} and s.id = coalesce(${id}::uuid, s.id)
      and exists (select from shipment_lines p where p.shipment_id = s.id and p.quantity > p.withdrawn_quantity)
      and not exists (
        select from shipments later
        where later.order_id = s.order_id and later.undone_at is null and (
          later.told_at > s.undone_at
          or (later.told_at is null and (later.told_tracking is not null or later.tell_attempts > 0))
        )
        and ${orderedSkusOf(sql, sql`later.id`)} && ${orderedSkusOf(sql, sql`s.id`)}
      )
    order by coalesce(s.cancel_after, s.undone_at), s.undone_at, s.id limit ${limit}`

/**
 * Returns the number of ordered units of each line in each shipment. A set counts if at least one of its parts is in
 * the shipment.
 */
const orderedUnits = (lines: readonly CountedLine[], piecesOf: (part: CountedLine) => number): SentPieces[] =>
  [...Map.groupBy(lines, (line) => `${line.shipment_id} ${line.ordered_line_id}`).values()].map((parts) => ({
    sku: parts[0]?.sku ?? '',
    quantity: Math.max(...parts.map((part) => Math.ceil(piecesOf(part) / part.pieces_per_set))),
  }))

/** Returns the ordered pieces in a shipment, by SKU in capitals. */
export async function readPiecesOfParcel(
  sql: Queryable,
  { id, order_id: orderId }: Pick<ParcelToCancel, 'id' | 'order_id'>,
): Promise<Map<string, number>> {
  const lines = (await listCountedLines(sql, orderId)).filter((line) => line.shipment_id === id)
  return sumBySku(orderedUnits(lines, ({ quantity }) => quantity))
}

/** Saves the shop's ids of all parcels of a shipment. */
export async function saveParcelIds(sql: Queryable, id: string, parcelIds: readonly string[]): Promise<void> {
  await sql`update shipments set shop_parcel_ids = ${[...parcelIds]}::text[] where id = ${id}`
}

/**
 * Returns whether the shop has shown the pieces of a shipment as sent since its report. Before that, a cancellation
 * would not change the shop's number of sent pieces, so that the server could not notice it.
 */
export async function isShownAsSent(
  sql: Queryable,
  { id, order_id: orderId }: Pick<ParcelToCancel, 'id' | 'order_id'>,
): Promise<boolean> {
  const order = await firstRow(
    sql<Row<'orders', 'source_told'>[]>`select source_told from orders where id = ${orderId}`,
  )
  if (!order) return false
  const shown = sumBySku(sentPiecesOf(order))
  const lines = await listCountedLines(sql, orderId)
  const counted = lines.filter((line) => line.is_told || line.is_undone || line.made_at_shop)
  const units = orderedUnits(counted, (part) => part.quantity - part.withdrawn_quantity)
  const expected = sumBySku(units)
  return lines
    .filter((line) => line.shipment_id === id)
    .every(({ sku }) => (shown.get(sku) ?? 0) >= (expected.get(sku) ?? 0))
}

/**
 * Delays the cancellation of a shipment whose pieces the shop has not shown as sent yet, so that later ones have their
 * turn.
 */
export async function delayCancel(sql: Queryable, id: string, until: Date): Promise<void> {
  await sql`update shipments set cancel_after = ${until} where id = ${id}`
}

/**
 * Saves the result of cancelling the parcels of a shipment: `at` is the shop's time of the cancellation, `after` the
 * time of the next attempt.
 */
export async function saveCancelResult(
  sql: Queryable,
  id: string,
  result: { at: Date } | { after: Date },
): Promise<void> {
  if ('at' in result) await sql`update shipments set cancelled_in_shop_at = ${result.at} where id = ${id}`
  else
    await sql`
      update shipments set cancel_attempts = cancel_attempts + 1, cancel_after = ${result.after} where id = ${id}`
}
