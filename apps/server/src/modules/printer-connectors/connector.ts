import type { Readable } from 'node:stream'
import { CodedError } from '../../platform/errors/coded-error.ts'

/**
 * The state that a printer reports. `finished`, `cancelled` and `failed` describe the print that the printer
 * still shows.
 */
export interface PrinterReading {
  state: 'idle' | 'busy' | 'printing' | 'paused' | 'finished' | 'cancelled' | 'failed'
  /** The name of the file that is being printed, or was printed last. Null if the printer shows none. */
  file: string | null
  /** Progress between 0 and 1, or null if it is unknown. */
  progress: number | null
  minutesLeft: number | null
  /** The printer's own message, shortened. Null if there is none. */
  message: string | null
  /**
   * Whether only the computer next to the printer responds, because the printer itself is switched off or disconnected.
   * Then the state is `failed`, and the message is one of our own sentences.
   */
  isOffline?: boolean
  /**
   * Set if the state is `failed` only because the last print ended with an error, which the machine shows until the
   * next print begins. The value identifies this print. Absent if the machine itself is out of order.
   */
  failedPrint?: string
  /**
   * Distinguishes the ended print that the printer shows from other prints of the same file. Absent if the printer
   * reports no such value.
   */
  printId?: string
}

/**
 * Returns a text that identifies the ended print that an idle printer shows. Empty if it shows none. Null while the
 * printer is printing or busy.
 */
export function shownPrintOf({ state, file, failedPrint, printId }: PrinterReading): string | null {
  if (state === 'idle') return ''
  const isEnded =
    state === 'finished' || state === 'cancelled' || (state === 'failed' && failedPrint !== undefined)
  return isEnded ? (file === null ? '' : `${file} ${failedPrint ?? printId ?? ''}`.trim()) : null
}

/** Returns whether the machine itself cannot print, and not only its last print has failed. */
export const isOutOfOrder = ({ state, failedPrint }: PrinterReading): boolean =>
  state === 'failed' && failedPrint === undefined

/** The last print of a file, from a printer's history. */
export interface PrintRecord {
  /** `lost` means that the printer lost power or its connection during the print. */
  outcome: 'running' | 'finished' | 'cancelled' | 'failed' | 'lost'
  used: FilamentUse | null
  /** Print time without pauses. */
  minutes: number | null
}

/** An amount of filament. */
export type FilamentAmount = { mm: number } | { grams: number }

/** The filament of a print. */
export type FilamentUse = FilamentAmount & {
  /** True if the printer measured the amount. False if it is the slicer's amount times the printed share. */
  isMeasured: boolean
}

/** A file to send to a printer. */
export interface PrintFile {
  stream: Readable
  sizeBytes: number
}

/** How to print a file, for printers that do not read these settings from the file. */
export interface PrintOrder {
  /** The plate in the file, counted from 1. */
  plate: number
  /** The slot of each tool. Tools are counted from 0, slots from 1. Null if the printer has only one slot. */
  slots: readonly { tool: number; slot: number }[] | null
}

/** Access to one printer on the network. All calls throw PrinterError. */
export interface PrinterConnector {
  /** Asks the printer for its state and its current or last print. */
  readState(): Promise<PrinterReading>
  /**
   * Finds a file on the printer, and its size if the printer reports it. Returns null if there is no such
   * file.
   */
  findFile(name: string): Promise<{ sizeBytes: number | null } | null>
  /** Uploads a file without starting it. */
  upload(name: string, file: PrintFile): Promise<void>
  /** Removes a file from the printer. Does nothing if there is no such file. */
  remove(name: string): Promise<void>
  /** Starts the print of an uploaded file. */
  start(name: string, print: PrintOrder): Promise<void>
  /** Pauses the running print. */
  pause(): Promise<void>
  /** Continues the paused print. */
  resume(): Promise<void>
  /** Stops the running print for good. */
  cancel(): Promise<void>
  /** Returns a picture from the camera (JPEG or PNG), or null for a printer without a camera. */
  snapshot(): Promise<Buffer | null>
  /**
   * Finds the last print of a file in the printer's history. Returns null only if it is certain that the file was never
   * printed. Returns `unknown` if printers of this kind keep no history, or if the printer no longer has the file.
   */
  findPrint(name: string): Promise<PrintRecord | null | 'unknown'>
}

/**
 * The reason for a failed call to a printer: it is unreachable (`offline`), refuses the key (`key`), refuses
 * the request (`refused`), or sends a response in an unknown form (`garbage`).
 */
export type PrinterFault = 'offline' | 'key' | 'refused' | 'garbage'

/** A failed call to a printer. Its message can be shown to people. */
export class PrinterError extends CodedError {
  readonly code = 'PRINTER_CALL_FAILED'
  readonly fault: PrinterFault
  /** Whether the printer may have carried out the request although the call failed. */
  readonly mayHaveHappened: boolean
  /** Whether only this file is refused, so that the printer may still accept another file. */
  readonly isFileFault: boolean
  /** Whether the printer may accept the same request later. */
  readonly isTransient: boolean
  /**
   * Whether the printer refused the request because its storage is full. `perhaps` means that its answer can also have
   * another meaning.
   */
  readonly isStorageFull: boolean | 'perhaps'

  constructor(
    fault: PrinterFault,
    message: string,
    options: {
      mayHaveHappened: boolean
      isFileFault?: boolean
      isTransient?: boolean
      isStorageFull?: boolean | 'perhaps'
      cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.fault = fault
    this.isFileFault = options.isFileFault ?? false
    this.isTransient = options.isTransient ?? false
    this.isStorageFull = options.isStorageFull ?? false
    this.mayHaveHappened = options.mayHaveHappened
  }
}

/**
 * Sends a command to the printer. Returns the error if the printer refused the command, or may have carried it out
 * anyway. The next reading shows what happened. Throws every other error.
 */
export async function tryCommand(command: () => Promise<void>): Promise<PrinterError | null> {
  try {
    await command()
    return null
  } catch (error) {
    if (error instanceof PrinterError && (error.fault === 'refused' || error.mayHaveHappened)) return error
    throw error
  }
}

const MAX_WORDS = 200

/**
 * Converts a printer's message to one short line without markup, control characters, or characters that change the
 * text direction. Returns null if the line is empty.
 */
export function printerWords(text: string | null | undefined): string | null {
  const line = (text ?? '')
    .slice(0, 10 * MAX_WORDS)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}<>]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line === '' ? null : [...line].slice(0, MAX_WORDS).join('')
}

/** Returns the name of a file without its folders. */
export const baseName = (path: string | null | undefined): string | null =>
  path ? (path.split('/').at(-1) ?? null) : null
