import { doesItAllTheSame, type Fault } from './faults.ts'
import type { SimulatedPrinter } from './printer.ts'

export type Protocol = 'moonraker' | 'octoprint' | 'prusalink' | 'bambu'

export interface PrinterSettings {
  name: string
  protocol: Protocol
  /** Port of the printer. 0 means any free port. */
  port: number
  /**
   * The key that the printer requires, or the access code of a Bambu printer; empty if no key is required.
   */
  apiKey: string
  /** The certificate of a Bambu printer, with its serial number as name, and its key, both as PEM. */
  certificate?: { cert: string; key: string }
}

export interface NetworkPrinter {
  name: string
  protocol: Protocol
  url: string
  machine: SimulatedPrinter
  faults: Fault[]
  /** The requests that the printer received, as `METHOD /path`, `MQTT command` or `FTP command`, newest last. */
  requests: string[]
  /** The commands that a Bambu printer received, newest last. */
  commands: Record<string, unknown>[]
  /** Called before and after each request. Tests end processes in this callback. */
  watch: ((request: string, phase: 'before' | 'after') => Promise<void> | void) | null
  close(): Promise<void>
}

const MAX_KEPT_REQUESTS = 10_000

/**
 * Records a request, and lets the printer process it unless a fault prevents that. The caller must send the
 * reply, or simulate the fault.
 */
export async function takeRequest<Reply>(
  printer: NetworkPrinter,
  line: string,
  answer: () => Promise<Reply> | Reply,
): Promise<{ fault: Fault | null; reply: Reply | null }> {
  printer.requests.push(line)
  if (printer.requests.length > MAX_KEPT_REQUESTS) printer.requests.shift()
  await printer.watch?.(line, 'before')
  const fault = strike(printer.faults, line)
  const isAnswered = fault === null || doesItAllTheSame(fault)
  const reply = isAnswered ? await answer() : null
  await printer.watch?.(line, 'after')
  return { fault, reply }
}

/** Returns the fault that affects this request, and counts it down. */
function strike(faults: Fault[], line: string): Fault | null {
  const at = faults.findIndex(({ only }) => only === undefined || line.includes(only))
  const fault = faults[at]
  if (!fault) return null
  if (fault.times !== undefined) {
    fault.times -= 1
    if (fault.times <= 0) faults.splice(at, 1)
  }
  return fault
}
