import type { Fault } from './faults.ts'
import type { SimulatedPrinter } from './printer.ts'

export type Protocol = 'moonraker' | 'octoprint' | 'prusalink'

/** A printer on the network. */
export interface NetworkPrinter {
  name: string
  protocol: Protocol
  url: string
  machine: SimulatedPrinter
  faults: Fault[]
  /** The requests that it received, as `METHOD /path`, the newest last. */
  requests: string[]
  /** Called before and after each request; tests end processes in it. */
  watch: ((request: string, phase: 'before' | 'after') => Promise<void> | void) | null
  close(): Promise<void>
}
