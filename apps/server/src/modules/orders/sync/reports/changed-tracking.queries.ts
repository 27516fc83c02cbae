import { addMs } from '../../../../platform/clock.ts'
import type { Row } from '../../../../platform/database/column-types.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import { firstRow } from '../../../../platform/database/first-row.ts'
import type { MainSite } from '../../../products/index.ts'
import { type Tracking, presentTracking } from '../../handling/shipments.queries.ts'
import { type ParcelInShop, parcelInShop } from './cancelled-parcels.queries.ts'
import { REPORTED_WITHIN_MS } from './completions.queries.ts'
import { isReported } from './reported-orders.ts'

/** A reported parcel whose tracking was changed. */
export interface ChangedParcel extends ParcelInShop, Row<'shipments', 'number' | 'tracking_attempts'> {}

/**
 * Lists the reported parcels whose changed tracking is due to be sent to a shop of this kind, earliest change first.
 * Only changes that were made before `changedBefore` are due. With `id`, lists only this parcel.
 */
export const listChangedParcels = (
  sql: Queryable,
  {
    now,
    changedBefore,
    limit,
    kind,
    id = null,
  }: { now: Date; changedBefore: Date; limit: number; kind: MainSite['kind']; id?: string | null },
): Promise<ChangedParcel[]> =>
  sql<ChangedParcel[]>`
    select ${parcelInShop(sql)}, s.number, s.tracking_attempts
    from shipments s join orders o on o.id = s.order_id
    where s.tracking_due and s.notify_shop and s.told_at is not null and s.undone_at is null
      and s.tracking_changed_at between ${addMs(now, -REPORTED_WITHIN_MS)} and ${changedBefore}
      and coalesce(s.tracking_after, '-infinity') <= ${now}
      and o.deleted_at is null and ${isReported(sql, kind)} and s.id = coalesce(${id}::uuid, s.id)
    order by s.tracking_changed_at, s.id limit ${limit}`

/** Tracking that is about to be sent. */
export interface BegunTracking extends Tracking {
  /** Whether an earlier attempt to send the same tracking may have reached the shop. */
  is_repeated: boolean
}

/**
 * Saves the tracking that is about to be sent, because it may reach the shop although its response is lost. Returns it,
 * or null if there is nothing to send.
 */
export const beginTracking = (sql: Queryable, id: string): Promise<BegunTracking | null> =>
  firstRow(
    sql<BegunTracking[]>`
      update shipments s set sent_tracking = ${presentTracking(sql)}
      from (select id, sent_tracking from shipments where id = ${id} for update) earlier
      where s.id = earlier.id and s.undone_at is null and s.tracking_due
      returning s.carrier, s.tracking_number, s.tracking_url,
                coalesce(earlier.sent_tracking = ${presentTracking(sql)}, false) as is_repeated`,
  )

/**
 * Saves the result of sending a tracking. If somebody has changed the tracking in the meantime, the new one stays due,
 * and a failure does not delay it. With `isImpossible`, no attempt can succeed, so a person has to change the tracking
 * in the shop.
 */
export async function saveTrackingResult(
  sql: Queryable,
  id: string,
  { carrier, tracking_number: number, tracking_url: url }: Tracking,
  result: { ok: true } | { isImpossible: true } | { after: Date; problem: string },
): Promise<void> {
  const sent = sql`jsonb_build_array(${carrier}::text, ${number}::text, ${url}::text)`
  if ('ok' in result)
    await sql`
      update shipments s
      set told_tracking = ${sent}, sent_tracking = null, tracking_due = ${presentTracking(sql)} <> ${sent},
          tracking_attempts = 0, tracking_after = null, tracking_problem = null
      where s.id = ${id}`
  else if ('isImpossible' in result)
    await sql`
      update shipments s set sent_tracking = null, tracking_due = false, tracking_problem = null
      where s.id = ${id} and ${presentTracking(sql)} = ${sent}`
  else
    await sql`
      update shipments s
      set tracking_attempts = tracking_attempts + 1, tracking_after = ${result.after}, tracking_problem = ${result.problem}
      where s.id = ${id} and ${presentTracking(sql)} = ${sent}`
}
