import { v7 as uuidv7 } from 'uuid'
import type { Row } from '../../platform/database/column-types.ts'
import { firstRow } from '../../platform/database/first-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type PrinterReading, shownPrintOf } from './connector.ts'
import type { Fragment } from '../../platform/database/search-patterns.ts'

/** Seconds after which a claim expires if its process does not renew it. */
export const CLAIM_SECONDS = 30
/** Pause in seconds after a visit. It doubles with each further visit in a row that fails. */
const PAUSE_SECONDS = 5
/**
 * Longest pause in seconds between two visits. A printer that does not respond, for example at night, is visited less
 * often.
 */
const LONGEST_PAUSE_SECONDS = 60

/** The exclusive right of one process to connect to a printer, for as long as the process renews it. */
export interface Claim {
  id: string
  printerId: string
}

export type ConnectionRow = Row<
  'printer_connections',
  'bed_note' | 'refusal' | 'failed_print' | 'settled_print' | 'shown_print'
>

/** Adds the missing connection rows of these printers. */
export async function addConnections(sql: Queryable, printerIds: readonly string[]): Promise<void> {
  await sql`
    insert into printer_connections (printer_id) select unnest(${[...printerIds]}::uuid[]) on conflict do nothing`
}

/**
 * Returns the SQL condition that no process has claimed the connection `d`. A claim that ends later than
 * `CLAIM_SECONDS` from now was stored before the clock of the database was set back, so it does not count. This is
 * checked with `clock_timestamp()`, because `now()` is the start of the transaction, and other processes may have
 * claimed the connection since then.
 */
const isUnclaimed = (sql: Queryable): Fragment => sql`
  (d.claimed_until is null or d.claimed_until < now()
    or d.claimed_until > clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}))`

const isDue = (sql: Queryable): Fragment => sql`
  (d.ask_after <= now() or d.ask_after > clock_timestamp() + make_interval(secs => ${LONGEST_PAUSE_SECONDS}))`

/**
 * Claims printers that are due and to which no other process connects. Uses the clock of the database, because all
 * processes share it.
 */
export async function claimPrinters(
  sql: Queryable,
  { printerIds, isForced, limit }: { printerIds: readonly string[]; isForced: boolean; limit: number },
): Promise<Claim[]> {
  const id = uuidv7()
  const rows = await sql<{ printer_id: string }[]>`
    update printer_connections c
    set claimed_by = ${id}, claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where c.printer_id in (
      select d.printer_id from printer_connections d
      where d.printer_id = any(${[...printerIds]}::uuid[]) and (${isDue(sql)} or ${isForced})
        and ${isUnclaimed(sql)}
      order by d.ask_after, d.printer_id limit ${limit} for update skip locked
    )
    returning c.printer_id`
  return rows.map(({ printer_id: printerId }) => ({ id, printerId }))
}

/** Renews a claim. Returns whether the claim was still valid. */
export async function renewClaim(sql: Queryable, { id, printerId }: Claim): Promise<boolean> {
  const rows = await sql`
    update printer_connections set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where printer_id = ${printerId} and claimed_by = ${id} and claimed_until > now()
    returning 1`
  return rows.length === 1
}

/**
 * Locks the connection of a claimed printer until the transaction ends, and returns it. Returns null if the claim is no
 * longer valid.
 */
export const lockClaim = (tx: Queryable, { id, printerId }: Claim) =>
  firstRow(tx<ConnectionRow[]>`
    select bed_note, refusal, failed_print, settled_print, shown_print from printer_connections
    where printer_id = ${printerId} and claimed_by = ${id} and claimed_until > now() for update`)

/**
 * Locks the connection of a printer until the transaction ends, so that no visit changes anything in the meantime.
 * Returns false if a process has claimed the printer. A printer that was never visited has no connection to lock.
 */
export async function lockUnclaimed(tx: Queryable, printerId: string): Promise<boolean> {
  const [row] = await tx<{ is_free: boolean }[]>`
    select ${isUnclaimed(tx)} as is_free from printer_connections d where d.printer_id = ${printerId} for update`
  return row?.is_free ?? true
}

/** Ends a claim, and counts the visits in a row that failed. The printer is visited again after a pause. */
export async function releaseClaim(
  sql: Queryable,
  { id, printerId }: Claim,
  { isFailed }: { isFailed: boolean },
): Promise<void> {
  await sql`
    update printer_connections c
    set claimed_by = null, claimed_until = null, failures = counted.failures,
        ask_after = now() + make_interval(
          secs => least(${LONGEST_PAUSE_SECONDS}::float8, ${PAUSE_SECONDS} * 2 ^ least(counted.failures, 8)))
    from (
      select printer_id, case when ${isFailed} then failures + 1 else 0 end as failures
      from printer_connections where printer_id = ${printerId} and claimed_by = ${id}
    ) counted
    where c.printer_id = counted.printer_id and c.claimed_by = ${id}`
}

/**
 * Ends the pause before the next visit of a printer, even after many failed visits. Returns whether the last visit
 * failed.
 */
export async function visitSoon(sql: Queryable, printerId: string): Promise<{ hadFailed: boolean }> {
  const [row] = await sql<{ had_failed: boolean }[]>`
    update printer_connections c set ask_after = now(), failures = 0
    from (select failures from printer_connections where printer_id = ${printerId} for update) before
    where c.printer_id = ${printerId} returning before.failures > 0 as had_failed`
  return { hadFailed: row?.had_failed ?? false }
}

/**
 * Ends the claim of a printer whose address or kind changes, so that a visit of the old machine can no longer change
 * anything. The next visit does not wait for it.
 */
export async function endClaim(tx: Queryable, printerId: string): Promise<void> {
  await tx`update printer_connections set claimed_by = null, claimed_until = null where printer_id = ${printerId}`
}

/**
 * Saves that people are told that a deleted printer was not seen to stop its print, with the note about its bed. Returns
 * false if they have already been told since the deletion.
 */
export async function saveGivingUp(
  tx: Queryable,
  { printerId, note, now, deletedAt }: { printerId: string; note: string; now: Date; deletedAt: string },
): Promise<boolean> {
  const rows = await tx`
    update printer_connections set bed_note = ${note}, given_up_at = ${now}
    where printer_id = ${printerId} and (given_up_at is null or given_up_at <= ${deletedAt}) returning 1`
  return rows.length > 0
}

/** Saves why the bed will have to be cleared once the machine is idle. Null means that it will be empty. */
export async function saveBedNote(tx: Queryable, printerId: string, note: string | null): Promise<void> {
  await tx`
    update printer_connections set bed_note = ${note}
    where printer_id = ${printerId} and bed_note is distinct from ${note}`
}

/**
 * Saves the ended print that the printer shows, and whether it has failed. Changes nothing while the printer is
 * printing.
 */
export async function saveShownPrint(
  tx: Queryable,
  printerId: string,
  reading: PrinterReading,
): Promise<void> {
  const { failedPrint } = reading
  const shown = shownPrintOf(reading)
  if (shown !== null)
    await tx`
      update printer_connections set shown_print = ${shown}
      where printer_id = ${printerId} and shown_print is distinct from ${shown}`
  if (failedPrint === undefined) return
  await tx`
    update printer_connections set failed_print = ${failedPrint}
    where printer_id = ${printerId} and failed_print is distinct from ${failedPrint}`
}

/**
 * Forgets why the printer got no plate: because it refused the last plate, or because its last print failed. Called
 * when a person puts the printer back into use.
 */
export async function settleFaults(tx: Queryable, printerId: string): Promise<void> {
  await tx`
    update printer_connections set refusal = null, settled_print = failed_print where printer_id = ${printerId}`
}

/** Saves the printer's reason for refusing the last plate. The printer then gets no plate, although it is idle. */
export async function saveRefusal(tx: Queryable, printerId: string, refusal: string): Promise<void> {
  await tx`
    update printer_connections set refusal = ${refusal}
    where printer_id = ${printerId} and refusal is distinct from ${refusal}`
}

export async function saveCameraAsked(tx: Queryable, printerId: string, now: Date): Promise<void> {
  await tx`update printer_connections set camera_asked_at = ${now} where printer_id = ${printerId}`
}

/** Returns when the printer was last asked whether it has a camera, or null if it was never asked. */
export async function findCameraAsked(sql: Queryable, printerId: string): Promise<string | null> {
  const [row] = await sql<{ camera_asked_at: string | null }[]>`
    select camera_asked_at from printer_connections where printer_id = ${printerId}`
  return row?.camera_asked_at ?? null
}
