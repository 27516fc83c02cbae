import type { Fault } from './faults.ts'
import type { SimulatedPrinter } from './printer.ts'

export type Protocol = 'moonraker' | 'octoprint' | 'prusalink'

export interface NetworkPrinter {
  name: string
  protocol: Protocol
  url: string
  machine: SimulatedPrinter
  faults: Fault[]
  /** The requests that the printer received, as `METHOD /path`, newest last. */
  requests: string[]
  /** Called before and after each request. Tests end processes in this callback. */
  watch: ((request: string, phase: 'before' | 'after') => Promise<void> | void) | null
  close(): Promise<void>
}
