import type { NetworkKind, PrinterKind } from '@pegasus/contracts/print-queue/printers'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import type { SliceFormat } from '@pegasus/contracts/slices/slices'

/** The formats of sliced files that each kind of network printer can print. */
const FORMATS: Readonly<Record<NetworkKind, readonly SliceFormat[]>> = {
  moonraker: ['gcode'],
  octoprint: ['gcode'],
  prusalink: ['bgcode', 'gcode'],
  bambu: ['gcode.3mf'],
}

/**
 * Returns whether a printer can print files of this format. Always true for printers of people and agents, who decide
 * for themselves.
 */
export const canRead = (kind: PrinterKind, format: SliceFormat): boolean =>
  !isNetworkKind(kind) || FORMATS[kind].includes(format)

/** Returns the formats that a network printer can print as a text such as `.bgcode and .gcode files`. */
export const formatsOf = (kind: NetworkKind): string =>
  `${FORMATS[kind].map((format) => `.${format}`).join(' and ')} files`
