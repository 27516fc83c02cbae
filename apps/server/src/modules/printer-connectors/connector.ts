import type { Readable } from 'node:stream'

/** The state that a printer reports. `finished`, `cancelled` and `failed` describe the print that it still shows. */
export interface PrinterReading {
  state: 'idle' | 'busy' | 'printing' | 'paused' | 'finished' | 'cancelled' | 'failed'
  /** The name of the file that it prints, or printed last; null if it shows none. */
  file: string | null
  /** Between 0 and 1; null if unknown. */
  progress: number | null
  minutesLeft: number | null
  /** The printer's own message, shortened; null if it has none. */
  message: string | null
}

/** The last print of a file in a printer's history. */
export interface PrintRecord {
  /** `lost`: the printer lost power or its connection during the print. */
  outcome: 'running' | 'finished' | 'cancelled' | 'failed' | 'lost'
  used: FilamentUse | null
  /** Time of printing without pauses. */
  minutes: number | null
}

/** Measured by the printer, or the slicer's amount times the printed share. */
export type FilamentUse = { mm: number } | { grams: number }

/** A file to send. */
export interface PrintFile {
  stream: Readable
  sizeBytes: number
}

/** One kind of printer on the network. All calls throw PrinterError. */
export interface PrinterConnector {
  /** Endings of the files that it prints, without a dot. */
  readonly formats: readonly ('gcode' | 'bgcode' | 'gcode.3mf')[]
  readState(): Promise<PrinterReading>
  /** A file on the printer, with its size if the printer reports it; null if there is none. */
  findFile(name: string): Promise<{ sizeBytes: number | null } | null>
  upload(name: string, file: PrintFile): Promise<void>
  start(name: string): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  cancel(): Promise<void>
  /** A picture of its camera (JPEG or PNG); null for a printer without one. */
  snapshot(): Promise<Buffer | null>
  /**
   * The last print of a file in the printer's history. Null: it
   * was never started. `unknown`: this kind of printer has no history.
   */
  findPrint(name: string): Promise<PrintRecord | null | 'unknown'>
}

/**
 * Why a call to a printer failed: it is unreachable, refuses
 * the key, refuses the request, or answers in an unknown form.
 */
export type PrinterFault = 'offline' | 'key' | 'refused' | 'garbage'

/** A failed call to a printer. The message is a sentence for people. */
export class PrinterError extends Error {
  override name = 'PrinterError'
  readonly code = 'PRINTER_CALL_FAILED'
  readonly fault: PrinterFault
  /** Whether the printer may have carried out the request. */
  readonly mayHaveHappened: boolean

  constructor(fault: PrinterFault, message: string, options: { mayHaveHappened: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.fault = fault
    this.mayHaveHappened = options.mayHaveHappened
  }
}

const MAX_WORDS = 200

/** A printer's message as one short line without deceptive characters; null if it is empty then. */
export function printerWords(text: string | null | undefined): string | null {
  const line = (text ?? '')
    .slice(0, 10 * MAX_WORDS)
    .toWellFormed()
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069<>]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line === '' ? null : [...line].slice(0, MAX_WORDS).join('')
}

/** The name of a file without its folders. */
export const baseName = (path: string | null | undefined): string | null =>
  path ? (path.split('/').at(-1) ?? null) : null
