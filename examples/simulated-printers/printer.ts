import { type GcodeFacts, readGcodeFacts } from './gcode-facts.ts'

export type PrintState = 'printing' | 'paused' | 'complete' | 'cancelled' | 'error' | 'interrupted'

export interface StoredFile extends GcodeFacts {
  name: string
  sizeBytes: number
  uploadedAt: number
  /** When its last print started, or null if it was never printed. */
  printedAt: number | null
}

/** One print of a file, running or ended. */
export interface Print {
  id: number
  file: StoredFile
  state: PrintState
  /** Whether the print was started over the network or at the machine. */
  by: 'network' | 'machine'
  /** Milliseconds since 1970, by this machine's clock. */
  startedAt: number
  endedAt: number | null
  /** Progress so far, in minutes of print time. */
  printedMinutes: number
  message: string
}

export interface PrinterOptions {
  name: string
  /** Number of minutes that the printer prints in one real minute. With 0, it prints only by `advance`. */
  speed: number
}

/** The error for a refused command. Each protocol has its own status for it. */
export class Refused extends Error {
  readonly reason: 'busy' | 'no-print' | 'no-file' | 'exists'

  constructor(reason: Refused['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Larger files are not kept, because tests upload hundreds of megabytes. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024

/**
 * A printer without a network protocol. It stores files, runs one print at a time, and offers the actions of
 * people at its screen.
 */
export class SimulatedPrinter {
  readonly name: string
  readonly speed: number
  readonly files = new Map<string, StoredFile>()
  /** The bytes of small files, for programs that download them. */
  readonly contents = new Map<string, Buffer>()
  /** The nonces of digest authentication, with the time at which each was issued. */
  readonly nonces = new Map<string, number>()
  /** All prints, oldest first. The last one is on the screen until the printer restarts. */
  readonly prints: Print[] = []
  /** The print on the screen. Null after a restart. */
  shown: Print | null = null
  startedAt = Date.now()
  /** Whether the printer is switched off, while the server beside it still responds. */
  isOff = false
  /** Whether the records of ended prints still report a running print, as Moonraker does for a moment. */
  isRecordLate = false
  /** The port of the camera's own server. Null if the printer itself sends the pictures. */
  cameraPort: number | null = null
  /** The address of the pictures that Moonraker names. Null for that of the camera's own server. */
  snapshotUrl: string | null = null
  #movedAt = Date.now()

  constructor({ name, speed }: PrinterOptions) {
    this.name = name
    this.speed = speed
  }

  /** The print that is running or paused. */
  get running(): Print | null {
    this.#move()
    const { shown } = this
    return shown?.state === 'printing' || shown?.state === 'paused' ? shown : null
  }

  /** The print on the screen, which may have ended. */
  get screen(): Print | null {
    this.#move()
    return this.shown
  }

  progressOf(print: Print): number {
    return Math.min(1, print.printedMinutes / print.file.minutes)
  }

  /** Returns the filament that went through the nozzle, in mm. */
  usedMmOf(print: Print): number {
    return print.file.filamentMm * this.progressOf(print)
  }

  /** Lets simulated time pass in addition to the time of the clock. */
  advance(minutes: number): void {
    this.#move()
    this.#print(minutes)
  }

  upload(name: string, bytes: Buffer, options: { mayReplace: boolean } = { mayReplace: true }): StoredFile {
    if (this.files.has(name) && !options.mayReplace) throw new Refused('exists', `${name} exists already`)
    if (this.running?.file.name === name) throw new Refused('busy', `${name} is being printed`)
    const stored = { name, sizeBytes: bytes.length, uploadedAt: Date.now(), printedAt: null }
    const file: StoredFile = { ...stored, ...readGcodeFacts(bytes) }
    this.files.set(name, file)
    if (bytes.length <= MAX_KEPT_BYTES) this.contents.set(name, bytes)
    else this.contents.delete(name)
    return file
  }

  remove(name: string): void {
    if (this.running?.file.name === name) throw new Refused('busy', `${name} is being printed`)
    if (!this.files.delete(name)) throw new Refused('no-file', `There is no file ${name}`)
    this.contents.delete(name)
  }

  start(name: string, by: Print['by'] = 'network'): Print {
    if (this.isOff) throw new Refused('busy', 'Printer is not operational')
    if (this.running) throw new Refused('busy', 'A print is running')
    const file = this.files.get(name)
    if (!file) throw new Refused('no-file', `There is no file ${name}`)
    const print: Print = {
      id: this.prints.length + 1,
      file,
      state: 'printing',
      by,
      startedAt: Date.now(),
      endedAt: null,
      printedMinutes: 0,
      message: '',
    }
    file.printedAt = print.startedAt
    this.prints.push(print)
    this.shown = print
    this.#movedAt = Date.now()
    return print
  }

  pause(): void {
    const print = this.#mustRun()
    print.state = 'paused'
  }

  resume(): void {
    const print = this.#mustRun()
    print.state = 'printing'
    this.#movedAt = Date.now()
  }

  cancel(): void {
    this.#end(this.#mustRun(), 'cancelled')
  }

  fail(message: string): void {
    const print = this.#mustRun()
    print.message = message
    this.#end(print, 'error')
  }

  /** Turns the power off and on. A running print is lost, but files stay. */
  reboot(): void {
    const print = this.running
    if (print) this.#end(print, 'interrupted')
    this.shown = null
    this.startedAt = Date.now()
  }

  /** Switches the printer off. A running print is lost. A server beside the printer still responds. */
  off(): void {
    this.reboot()
    this.isOff = true
  }

  on(): void {
    this.isOff = false
  }

  /** Simulates that somebody confirms at the screen that the last print has ended. */
  acknowledge(): void {
    if (!this.running) this.shown = null
  }

  #mustRun(): Print {
    const print = this.running
    if (!print) throw new Refused('no-print', 'No print is running')
    return print
  }

  #end(print: Print, state: PrintState): void {
    print.state = state
    print.endedAt = Date.now()
  }

  #move(): void {
    const now = Date.now()
    const passedMinutes = ((now - this.#movedAt) / 60_000) * this.speed
    this.#movedAt = now
    this.#print(passedMinutes)
  }

  #print(minutes: number): void {
    const print = this.shown
    if (print?.state !== 'printing') return
    print.printedMinutes = Math.min(print.file.minutes, print.printedMinutes + minutes)
    if (print.printedMinutes >= print.file.minutes) this.#end(print, 'complete')
  }
}
