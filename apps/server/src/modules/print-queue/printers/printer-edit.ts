import { toMinor } from '@pegasus/contracts/money'
import { parseBambuAddress } from '@pegasus/contracts/print-queue/bambu-address'
import { KEY_REFUSAL, isHeaderKey } from '@pegasus/contracts/print-queue/printer-key'
import {
  type PrinterKind,
  type UpdatePrinterBody,
  isNetworkKind,
} from '@pegasus/contracts/print-queue/printers'
import { isAdmin } from '@pegasus/contracts/roles'
import { hasUserInfo, isWebAddress } from '@pegasus/contracts/web-address'
import type { Update } from '../../../platform/database/column-types.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { PrinterKeys } from './printer-keys.ts'

export const refusePrinter = (path: string, message: string): never => {
  throw new AppError('PRINTER_INVALID', { text: message, errors: [{ path, message }] })
}

/** The printer before an edit. A new printer has no address yet. */
interface Before {
  id: string
  kind: PrinterKind
  address: string | null
}

/** Throws PRINTER_INVALID for a rate with more decimals than the currency has. */
function rateMinor(rate: number | null, currency: string): number | null {
  if (rate === null) return null
  return (
    toMinor(rate, currency) ??
    refusePrinter('hourly_rate', `Hourly rate has more decimals than ${currency} has`)
  )
}

/**
 * Throws PRINTER_INVALID for an address that does not fit the kind. The address of a Bambu printer is not a
 * URL, because it has two ports.
 */
function checkAddress(kind: PrinterKind, address: string): void {
  if (kind === 'bambu') {
    if (!parseBambuAddress(address))
      refusePrinter(
        'address',
        'Address must be the IP address or name of the printer, such as 192.168.1.20, optionally followed by a slash and its serial number',
      )
    return
  }
  if (hasUserInfo(address))
    refusePrinter('address', 'Please enter the user and password as the key, not in the address')
  if (!isWebAddress(address))
    refusePrinter('address', 'Address must be a web address (http or https), such as http://192.168.1.20')
}

/**
 * Returns the changed columns of the connection. Throws FORBIDDEN if the caller is not an admin, and PRINTER_INVALID
 * for an address that does not fit the kind.
 */
function connectionOf(
  before: Before,
  body: Pick<UpdatePrinterBody, 'kind' | 'address' | 'api_key'>,
  { role, keys }: { role: string; keys: PrinterKeys },
): Update<'printers'> {
  const kind = body.kind ?? before.kind
  const address = isNetworkKind(kind) ? (body.address === undefined ? before.address : body.address) : null
  const isOther = address !== before.address || (address !== null && kind !== before.kind)
  const givesConnection = Boolean(body.address) || Boolean(body.api_key)
  if ((isOther || givesConnection || body.api_key === null) && !isAdmin(role))
    throw new AppError('FORBIDDEN', {
      text: 'Only an admin can change the address and the key of a printer.',
    })
  if (!isNetworkKind(kind)) {
    if (givesConnection)
      refusePrinter('kind', 'A printer with an address or a key needs a kind that uses a network')
    return { kind, address: null, api_key_sealed: null, certificate_sha256: null, has_camera: false }
  }
  if (address === null) refusePrinter('address', 'Please enter the address of the printer')
  else checkAddress(kind, address)
  const key = body.api_key
  if (key && kind !== 'prusalink' && !isHeaderKey(key)) refusePrinter('api_key', KEY_REFUSAL)
  // An admin who enters a key confirms that the printer at this address is the right one.
  if (key) return { kind, address, api_key_sealed: keys.seal(before.id, key), certificate_sha256: null }
  // The stored key belongs to the printer at the old address. Never send it to a new address.
  const isOld = isOther || key === null
  return { kind, address, ...(isOld && { api_key_sealed: null, certificate_sha256: null }) }
}

/** Returns the changed columns of an edit. Slots are saved separately. Throws FORBIDDEN or PRINTER_INVALID. */
export function columnsOf(
  before: Before,
  body: UpdatePrinterBody,
  rights: { role: string; keys: PrinterKeys; currency: string },
): Update<'printers'> {
  const { hourly_rate: rate, print_hours: hours } = body
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.model !== undefined && { model: body.model }),
    ...(body.bed_mm !== undefined && { bed_mm: body.bed_mm }),
    ...(body.nozzle_mm !== undefined && { nozzle_mm: body.nozzle_mm }),
    ...(body.average_watts !== undefined && { average_watts: body.average_watts }),
    ...(body.location_id !== undefined && { location_id: body.location_id }),
    ...(body.notes !== undefined && { notes: body.notes }),
    ...(body.takes_jobs !== undefined && { takes_jobs: body.takes_jobs }),
    ...(hours !== undefined && { printed_minutes: Math.round(hours * 60) }),
    ...(rate !== undefined && { machine_minor_per_hour: rateMinor(rate, rights.currency) }),
    ...((body.kind !== undefined || body.address !== undefined || body.api_key !== undefined) &&
      connectionOf(before, body, rights)),
  }
}
