import { onTestFinished } from 'vitest'
import { type Certificate, anAuthority } from './certificates.ts'

export const PRINTER_KEY = 'printer-key-0123'

/** The part of the example's simulated machine that tests use. */
export interface SimulatedMachine {
  readonly prints: { id: number; file: { name: string }; state: string; by: string; printedMinutes: number }[]
  readonly files: Map<string, { sizeBytes: number; filamentGrams: number }>
  /** The valid nonces of PrusaLink's digest authentication. */
  readonly nonces: Map<string, number>
  isRecordLate: boolean
  snapshotUrl: string | null
  readonly cameraPort: number | null
  readonly running: { file: { name: string }; state: string } | null
  usedMmOf(print: object): number
  progressOf(print: object): number
  upload(name: string, bytes: Buffer): unknown
  start(name: string, by?: 'network' | 'machine'): unknown
  advance(minutes: number): void
  pause(): void
  resume(): void
  cancel(): void
  fail(message: string): void
  reboot(): void
  off(): void
  on(): void
  acknowledge(): void
}

export interface SimulatedPrinter {
  name: string
  url: string
  machine: SimulatedMachine
  faults: { kind: string; only?: string; times?: number; to?: string; status?: number }[]
  requests: string[]
  commands: Record<string, unknown>[]
  watch: ((request: string, phase: 'before' | 'after') => Promise<void> | void) | null
  close(): Promise<void>
}

interface Simulated {
  printers: SimulatedPrinter[]
  adminUrl: string | null
  close(): Promise<void>
}

export type Protocol = 'moonraker' | 'octoprint' | 'prusalink' | 'bambu'

/** The file format that a printer of each protocol prints in tests. */
export const FORMATS = {
  moonraker: 'gcode',
  octoprint: 'gcode',
  prusalink: 'gcode',
  bambu: 'gcode.3mf',
} as const satisfies Record<Protocol, string>

/** The serial number of the simulated Bambu printers. */
export const SERIAL = '01S00C123456789'

/**
 * Starts the example's simulated printers, which run until the test ends. The example is imported by path, because the
 * server does not depend on it.
 */
export async function simulatedPrinters(
  protocols: readonly Protocol[],
  options: { speed?: number; certificate?: Certificate; apiKey?: string } = {},
): Promise<SimulatedPrinter[]> {
  const path = new URL('../../../../examples/simulated-printers/simulated-printers.ts', import.meta.url).href
  const { startSimulatedPrinters } = (await import(path)) as {
    startSimulatedPrinters(options: object): Promise<Simulated>
  }
  const simulated = await startSimulatedPrinters({
    host: '127.0.0.1',
    printers: protocols.map((protocol, index) => ({
      name: `${protocol}-${index + 1}`,
      protocol,
      port: 0,
      apiKey: options.apiKey ?? PRINTER_KEY,
      ...(protocol === 'bambu' && {
        certificate: options.certificate ?? anAuthority('BBL CA').issue(SERIAL),
      }),
    })),
    // The simulated time advances only when a test advances it.
    speed: options.speed ?? 0,
    adminPort: null,
  })
  onTestFinished(() => simulated.close())
  return simulated.printers
}

/** Returns the G-code of a print that takes this many minutes and this length of filament. */
export const aPrint = ({ minutes = 90, mm = 4000 } = {}): Buffer =>
  Buffer.from(
    `; estimated printing time (normal mode) = ${Math.floor(minutes / 60)}h ${minutes % 60}m 0s\n; filament used [mm] = ${mm}\nG28\nG1 X10 Y10 E1\n`,
  )
