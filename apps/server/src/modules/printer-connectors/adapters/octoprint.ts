import * as z from 'zod/mini'
import {
  type FilamentUse,
  type PrinterConnector,
  PrinterError,
  type PrinterReading,
  printerWords,
} from '../connector.ts'
import type { PrinterCalls } from '../printer-calls.ts'
import { uploadForm } from '../multipart-file.ts'

/** The documentation describes one amount, but OctoPrint sends one amount for each tool. */
const filament = z.nullish(z.record(z.string(), z.unknown()))
const tool = z.object({ length: z.number() })

const job = z.object({
  job: z.object({
    file: z.object({
      name: z.nullish(z.string()),
      path: z.nullish(z.string()),
      origin: z.nullish(z.string()),
    }),
    filament,
  }),
  progress: z.object({
    completion: z.nullish(z.number()),
    printTime: z.nullish(z.number()),
    printTimeLeft: z.nullish(z.number()),
  }),
  state: z.string(),
  error: z.nullish(z.string()),
})

const prints = z.nullish(
  z.object({
    last: z.nullish(
      z.object({ success: z.boolean(), printTime: z.nullish(z.number()), date: z.nullish(z.number()) }),
    ),
  }),
)

const file = z.object({
  size: z.nullish(z.number()),
  gcodeAnalysis: z.nullish(z.object({ filament })),
  prints,
  print: prints,
})

type Job = z.infer<typeof job>

const lastPrintOf = (known: z.infer<typeof file> | null) => (known?.prints ?? known?.print)?.last ?? null

/** Returns the total length for all tools, in millimeters. */
function lengthOf(used: z.infer<typeof filament>): number | null {
  if (!used) return null
  const lengths = [used, ...Object.values(used)].flatMap((part) => tool.safeParse(part).data?.length ?? [])
  return lengths.length > 0 ? lengths.reduce((sum, each) => sum + each, 0) : null
}

/** Returns the slicer's amount times the printed share (0 to 1), because OctoPrint does not measure filament. */
const usedOf = (used: z.infer<typeof filament>, share: number): FilamentUse | null => {
  const mm = lengthOf(used)
  return mm === null ? null : { mm: Math.max(0, mm * share), isMeasured: false }
}

function stateOf(text: string, completion: number | null): PrinterReading['state'] {
  if (/^(?:printing|starting|sending|transferring|finishing|resuming)/i.test(text)) return 'printing'
  if (/^paus/i.test(text)) return 'paused'
  if (/^(?:cancelling|opening|detecting|connecting|revalidating)/i.test(text)) return 'busy'
  if (/^operational/i.test(text)) return completion !== null && completion >= 100 ? 'finished' : 'idle'
  return 'failed'
}

/** Errors of the serial connection, in the words of OctoPrint and pyserial. */
const DISCONNECTED =
  /Serial(?:Timeout)?Exception|consecutive timeouts|(?:serial|USB) (?:port|connection)|baud ?rate|connection (?:lost|closed|to the printer)|no response from/i

/** The words of OctoPrint when it has closed the connection because somebody stopped the printer in an emergency. */
const EMERGENCY_STOP = /emergency stop|M112/i

const OFFLINE = 'OctoPrint responds, but its printer is switched off or not connected.'

/**
 * Returns whether OctoPrint has lost the connection to its printer. After an error, this is true only if the error
 * concerns the connection. After a firmware error or an emergency stop, a person has to look at the printer.
 */
function isDisconnected(text: string, error: string | null | undefined): boolean {
  if (/^offline after error/i.test(text))
    return !error || (!EMERGENCY_STOP.test(error) && DISCONNECTED.test(error))
  return /^(?:offline|closed)/i.test(text)
}

const minutes = (seconds: number | null | undefined): number | null =>
  typeof seconds === 'number' ? Math.max(0, Math.round(seconds / 60)) : null

/** Creates the connector for OctoPrint. https://docs.octoprint.org/en/master/api/ */
export function createOctoPrintConnector(calls: PrinterCalls): PrinterConnector {
  const post = async (path: string, body: Record<string, unknown>): Promise<void> => {
    await calls.order({ method: 'POST', path, body })
  }
  const pathOf = (name: string) => `/api/files/local/${encodeURIComponent(name)}`
  const readJob = () => calls.read({ method: 'GET', path: '/api/job' }, job)
  /** Returns OctoPrint's record of a file, or null if it does not have the file. */
  const readFile = (path: string) => calls.find({ method: 'GET', path }, file)
  /**
   * Returns the last print of the selected file if it was cancelled or failed, otherwise null. OctoPrint then shows
   * only the file, and no longer the progress of the print.
   */
  const findStoppedPrint = async ({ path, name, origin }: Job['job']['file']) => {
    const selected = path ?? name
    if (!selected || origin === 'sdcard') return null
    const steps = selected.toWellFormed().split('/').map(encodeURIComponent)
    const known = await readFile(`/api/files/local/${steps.join('/')}`).catch((error: unknown) => {
      // If OctoPrint cannot read the record of a file, the printer can still print.
      if (error instanceof PrinterError && error.fault === 'refused') return null
      throw error
    })
    const last = lastPrintOf(known)
    return last && !last.success ? last : null
  }

  return {
    async readState() {
      const read = await readJob()
      const completion = read.progress.completion ?? null
      const seen = stateOf(read.state, completion)
      const stopped = seen === 'idle' ? await findStoppedPrint(read.job.file) : null
      const state = stopped ? 'cancelled' : seen
      const isOffline = isDisconnected(read.state, read.error)
      return {
        state,
        file: read.job.file.name ?? null,
        progress: completion === null ? null : Math.min(1, Math.max(0, completion / 100)),
        minutesLeft: minutes(read.progress.printTimeLeft),
        message: state !== 'failed' ? null : isOffline ? OFFLINE : printerWords(read.error ?? read.state),
        ...(isOffline && { isOffline }),
        ...(state === 'finished' && { printId: `${read.progress.printTime} s` }),
        ...(stopped && { printId: `ended at ${stopped.date ?? 0} after ${stopped.printTime ?? 0} s` }),
      }
    },

    async findFile(name) {
      const known = await readFile(pathOf(name))
      return known && { sizeBytes: known.size ?? null }
    },

    async upload(name, data) {
      const form = uploadForm(name, data, { select: 'false', print: 'false' })
      await calls.order({ method: 'POST', path: '/api/files/local', ...form })
    },

    remove: (name) => calls.remove(pathOf(name)),
    start: (name) => post(pathOf(name), { command: 'select', print: true }),
    pause: () => post('/api/job', { command: 'pause', action: 'pause' }),
    resume: () => post('/api/job', { command: 'pause', action: 'resume' }),
    cancel: () => post('/api/job', { command: 'cancel' }),

    // OctoPrint's own web server usually serves the camera at this path. The snapshot address in its settings is not
    // used, because it could point to any machine in the network.
    snapshot: () => calls.picture('/webcam/?action=snapshot'),

    async findPrint(name) {
      const current = await readJob()
      const completion = current.progress.completion ?? null
      const state = stateOf(current.state, completion)
      const time = minutes(current.progress.printTime)
      if (current.job.file.name === name && (state === 'printing' || state === 'paused'))
        return {
          outcome: 'running',
          used: usedOf(current.job.filament, (completion ?? 0) / 100),
          minutes: time,
        }
      const known = await readFile(pathOf(name))
      const last = lastPrintOf(known)
      // OctoPrint deletes its records together with the file, so a missing file proves nothing. It also records no
      // print during which it restarted.
      if (!known || !last) return 'unknown'
      const isDone = last.success
      return {
        outcome: isDone ? 'finished' : 'cancelled',
        used: isDone ? usedOf(known.gcodeAnalysis?.filament ?? current.job.filament, 1) : null,
        minutes: minutes(last.printTime) ?? (isDone ? time : null),
      }
    },
  }
}
