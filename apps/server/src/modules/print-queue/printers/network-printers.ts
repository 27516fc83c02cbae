import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** A printer that the server talks to. The key is opened with `createPrinterKeys`. */
export type NetworkPrinter = Row<
  'printers',
  'id' | 'name' | 'kind' | 'address' | 'api_key_sealed' | 'state' | 'has_camera' | 'seen_at' | 'revision'
>

const selectNetworkPrinter = (sql: Queryable) => sql`
  select id, name, kind, address, api_key_sealed, state, has_camera, seen_at, revision from printers
  where deleted_at is null and address is not null and kind in ('moonraker', 'octoprint', 'prusalink', 'bambu')`

/** All printers that the server talks to, by number. */
export const listNetworkPrinters = (sql: Queryable): Promise<NetworkPrinter[]> =>
  sql<NetworkPrinter[]>`${selectNetworkPrinter(sql)} order by number`

/** One of them; null if it does not exist or has no address. */
export const findNetworkPrinter = (sql: Queryable, id: string) =>
  firstRow(sql<NetworkPrinter[]>`${selectNetworkPrinter(sql)} and id = ${id}`)

/** The way to printers over the network. Module printer-connectors implements it. */
export interface PrinterConnections {
  /** Asks a printer who it is. Never throws for a printer that does not answer. */
  test(printer: NetworkPrinter): Promise<{ ok: boolean; message: string }>
  /** A picture of its camera, or null if the printer does not answer. */
  readCamera(printer: NetworkPrinter): Promise<{ bytes: Uint8Array; contentType: string } | null>
}
