import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** A printer to which the server connects. Decrypt its API key with `createPrinterKeys`. */
export type NetworkPrinter = Row<
  'printers',
  | 'id'
  | 'name'
  | 'kind'
  | 'address'
  | 'api_key_sealed'
  | 'certificate_sha256'
  | 'state'
  | 'has_camera'
  | 'seen_at'
  | 'revision'
  | 'deleted_at'
>

const selectNetworkPrinter = (sql: Queryable, since: Date | null) => sql`
  select id, name, kind, address, api_key_sealed, certificate_sha256, state, has_camera, seen_at, revision, deleted_at
  from printers
  where (deleted_at is null or deleted_at > ${since}) and address is not null and kind in ('moonraker', 'octoprint', 'prusalink', 'bambu')`

/**
 * Returns all printers to which the server connects, sorted by number. If `since` is given, printers that were deleted
 * after that time are also returned.
 */
export const listNetworkPrinters = (sql: Queryable, since: Date | null = null): Promise<NetworkPrinter[]> =>
  sql<NetworkPrinter[]>`${selectNetworkPrinter(sql, since)} order by number`

/** Returns a network printer, or null if it does not exist, is deleted or has no address. */
export const findNetworkPrinter = (sql: Queryable, id: string) =>
  firstRow(sql<NetworkPrinter[]>`${selectNetworkPrinter(sql, null)} and id = ${id}`)

/**
 * Stores the first certificate that a printer has shown. It is kept until the address of the printer changes. Returns
 * the stored certificate, which may come from another process. Returns null if the address has changed.
 */
export async function pinCertificate(
  sql: Queryable,
  { id, address, certificate }: { id: string; address: string; certificate: string },
): Promise<string | null> {
  const [row] = await sql<{ certificate_sha256: string }[]>`
    update printers set certificate_sha256 = coalesce(certificate_sha256, ${certificate})
    where id = ${id} and address = ${address}
    returning certificate_sha256`
  return row?.certificate_sha256 ?? null
}

/** Calls to printers over the network. The module `printer-connectors` implements them. */
export interface PrinterConnections {
  /** Asks a printer to identify itself. Does not throw if the printer does not respond. */
  test(printer: NetworkPrinter): Promise<{ ok: boolean; message: string }>
  /**
   * Polls a printer as soon as possible, because its connection has changed or works again. Call it before the printer
   * is locked. Returns whether the last poll failed.
   */
  visitSoon(sql: Queryable, printerId: string): Promise<{ hadFailed: boolean }>
  /**
   * Ends a running visit, because the printer is now another machine. The answers of the old machine are ignored. Call
   * it after `visitSoon`.
   */
  endVisit(tx: Queryable, printerId: string): Promise<void>
  /**
   * Returns the beginning of a sentence about a plate that was ended in Pegasus Ops, but whose print the printer has
   * not confirmed as stopped: `Plate 1 of J-00001 was cancelled`. Returns null if there is none.
   */
  describeUnstopped(sql: Queryable, printerId: string): Promise<string | null>
  /** Saves why the bed has to be cleared once the printer is idle. Call it after `visitSoon`. */
  noteBed(tx: Queryable, printerId: string, note: string): Promise<void>
  /** Returns a picture of the printer's camera, or null if the printer does not respond. */
  readCamera(printer: NetworkPrinter): Promise<{ bytes: Uint8Array; contentType: string } | null>
  /** Forgets the previous print, because a person has cleared the bed. Call it before a job is locked. */
  forgetBed(tx: Queryable, printerId: string): Promise<void>
  /**
   * Forgets that the printer refused a plate, and that its last print failed. Called when a person puts the printer
   * back into use, before the printer is locked.
   */
  settleFaults(tx: Queryable, printerId: string): Promise<void>
}
