import { readDigestLogin } from '@pegasus/contracts/print-queue/printer-key'
import { type NetworkKind, isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import type { DeviceCall } from '../../platform/outbound/device-call.ts'
import { SealError } from '../../platform/root-secret.ts'
import { createBambuConnector } from './adapters/bambu/bambu.ts'
import type { BambuAccess, BambuSessions } from './adapters/bambu/bambu-sessions.ts'
import { createMoonrakerConnector } from './adapters/moonraker.ts'
import { createOctoPrintConnector } from './adapters/octoprint.ts'
import { createPrusaLinkConnector } from './adapters/prusalink.ts'
import { createDigestCall } from './adapters/digest-call.ts'
import type { NetworkPrinter, PrinterKeys } from '../print-queue/index.ts'
import { withCleanAnswers } from './clean-answers.ts'
import type { PrinterConnector } from './connector.ts'
import { createPrinterCalls } from './printer-calls.ts'

/** Adapters for the kinds of printers that use HTTP. */
const ADAPTERS = {
  moonraker: createMoonrakerConnector,
  octoprint: createOctoPrintConnector,
  prusalink: createPrusaLinkConnector,
} as const

/** The connections through which the server reaches network printers. */
export interface PrinterLinks {
  call: DeviceCall
  bambu: BambuSessions
}

/**
 * Creates the connector for a printer. Its answers are safe to store and show. A PrusaLink key in the form
 * `user:password` selects digest authentication.
 */
export function connectPrinter(
  printer: BambuAccess & { kind: NetworkKind },
  { call, bambu, signal }: PrinterLinks & { signal?: AbortSignal | undefined },
): PrinterConnector {
  const { kind, apiKey } = printer
  if (kind === 'bambu') return withCleanAnswers(createBambuConnector(printer, { sessions: bambu, signal }))
  const login = kind === 'prusalink' ? readDigestLogin(apiKey ?? '') : null
  const calls = createPrinterCalls({
    call: login ? createDigestCall(call, login) : call,
    access: printer,
    credentials: apiKey && !login ? { 'x-api-key': apiKey } : {},
    signal,
  })
  return withCleanAnswers(ADAPTERS[kind](calls))
}

/**
 * Returns the decrypted key of a printer, or null if it has none. A key that was encrypted with another root secret
 * also counts as none. The printer then refuses the calls, and its state asks a person to enter the key again.
 */
function openKey(printer: NetworkPrinter, keys: PrinterKeys): string | null {
  try {
    return keys.open(printer)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

/** Returns the access data of a stored printer, or null if the server does not connect to that printer. */
export function accessTo(
  printer: NetworkPrinter,
  keys: PrinterKeys,
): (BambuAccess & { kind: NetworkKind }) | null {
  const { id, kind, address, certificate_sha256: certificate } = printer
  return isNetworkKind(kind) && address !== null
    ? { id, kind, address, apiKey: openKey(printer, keys), certificate }
    : null
}
