import * as z from 'zod/mini'
import {
  type FilamentUse,
  type PrinterConnector,
  PrinterError,
  type PrinterReading,
  type PrintRecord,
  baseName,
  printerWords,
} from '../connector.ts'
import type { PrinterCalls } from '../printer-calls.ts'

const status = z.object({
  printer: z.object({
    state: z.string(),
    status_printer: z.nullish(z.object({ ok: z.nullish(z.boolean()), message: z.nullish(z.string()) })),
  }),
  job: z.nullish(z.object({ progress: z.nullish(z.number()), time_remaining: z.nullish(z.number()) })),
})

const amount = z.nullish(z.union([z.number(), z.string()]))
const meta = z.nullish(z.object({ 'filament used [mm]': amount, 'filament used [g]': amount }))

const job = z.object({
  id: z.number(),
  state: z.nullish(z.string()),
  progress: z.nullish(z.number()),
  time_printing: z.nullish(z.number()),
  file: z.nullish(z.object({ name: z.string(), display_name: z.nullish(z.string()), meta })),
})
type Job = z.infer<typeof job>

const storedFile = z.object({ size: z.nullish(z.number()), meta })

const storages = z.object({
  storage_list: z.array(
    z.object({
      path: z.string(),
      read_only: z.nullish(z.boolean()),
      available: z.nullish(z.boolean()),
    }),
  ),
})

const STATES: Readonly<Record<string, PrinterReading['state']>> = {
  IDLE: 'idle',
  READY: 'idle',
  BUSY: 'busy',
  PRINTING: 'printing',
  PAUSED: 'paused',
  FINISHED: 'finished',
  STOPPED: 'cancelled',
  ERROR: 'failed',
  ATTENTION: 'paused',
}
const OUTCOMES: Readonly<Partial<Record<PrinterReading['state'], PrintRecord['outcome']>>> = {
  printing: 'running',
  paused: 'running',
  finished: 'finished',
  cancelled: 'cancelled',
  failed: 'failed',
}

/**
 * Returns the displayed name of a file, which is the name that we gave it. The firmware shortens `name` to eight
 * letters.
 */
const nameOf = ({ file }: Job): string | null => baseName(file?.display_name ?? file?.name)

const numberOf = (value: z.infer<typeof amount>): number | null => {
  const number = Number(value ?? Number.NaN)
  return Number.isFinite(number) && number > 0 ? number : null
}

/** Returns the slicer's amount times the printed share (0 to 1), because PrusaLink does not measure filament. */
function usedOf(known: z.infer<typeof meta>, share: number): FilamentUse | null {
  const grams = numberOf(known?.['filament used [g]'])
  if (grams !== null) return { grams: grams * share, isMeasured: false }
  const mm = numberOf(known?.['filament used [mm]'])
  return mm === null ? null : { mm: mm * share, isMeasured: false }
}

const NOT_CONNECTED = /\bserial\b|\bprinter (?:is )?(?:not |dis)connected|\bno printer\b/i
const OFFLINE = 'PrusaLink responds, but its printer is switched off or not connected.'
const NO_JOB = 'The printer is not printing.'
const NO_STORAGE = 'The printer has no USB stick or other storage for files.'

/**
 * Creates the connector for PrusaLink on Prusa's printers. https://github.com/prusa3d/Prusa-Link-Web
 * (spec/openapi.yaml)
 */
export function createPrusaLinkConnector(calls: PrinterCalls): PrinterConnector {
  const findJob = async (): Promise<Job | null> => {
    const request = { method: 'GET', path: '/api/v1/job' } as const
    const answer = await calls.order(request)
    return answer.status === 204 || answer.body.length === 0 ? null : calls.read(request, job)
  }
  const readStatus = () => calls.read({ method: 'GET', path: '/api/v1/status' }, status)

  /** Returns the storage to use: `usb` or `local`. */
  const findStorage = async (): Promise<string> => {
    const { storage_list: list } = await calls.read({ method: 'GET', path: '/api/v1/storage' }, storages)
    const found = list.find(({ read_only: isReadOnly, available }) => !isReadOnly && available !== false)
    const name = found?.path.replaceAll('/', '') ?? ''
    if (!/^[\w-]+$/.test(name)) throw new PrinterError('refused', NO_STORAGE, { mayHaveHappened: false })
    return name
  }
  const pathOf = async (name: string): Promise<string> =>
    `/api/v1/files/${await findStorage()}/${encodeURIComponent(name)}`

  const order = async (method: 'PUT' | 'DELETE', action: string): Promise<void> => {
    const current = await findJob()
    if (!current) throw new PrinterError('refused', NO_JOB, { mayHaveHappened: false })
    await calls.order({ method, path: `/api/v1/job/${current.id}${action}` })
  }

  return {
    async readState() {
      const read = await readStatus()
      const state = STATES[read.printer.state] ?? 'busy'
      const current = state === 'idle' ? null : await findJob()
      const progress = current?.progress ?? read.job?.progress ?? null
      const left = read.job?.time_remaining ?? null
      const { ok: isConnected, message } = read.printer.status_printer ?? {}
      const said = printerWords(message)
      // PrusaLink can run on a computer next to the printer, and then still responds while the printer is switched off.
      const isOffline = state === 'failed' && isConnected === false && NOT_CONNECTED.test(message ?? '')
      return {
        // If the state is paused without a print, the printer waits for somebody at its screen.
        state: state === 'paused' && !current ? 'busy' : state,
        file: current && nameOf(current),
        progress: progress === null ? null : Math.min(1, Math.max(0, progress / 100)),
        minutesLeft: left === null ? null : Math.max(0, Math.round(left / 60)),
        message:
          read.printer.state === 'ATTENTION'
            ? (said ?? 'The printer waits for input on its screen.')
            : isOffline
              ? OFFLINE
              : state === 'failed'
                ? said
                : null,
        ...(isOffline && { isOffline }),
        ...(current && (state === 'finished' || state === 'cancelled') && { printId: String(current.id) }),
      }
    },

    async findFile(name) {
      const path = await pathOf(name)
      const answer = await calls.ask({ method: 'GET', path })
      if (answer.status === 404) return null
      const { size } = await calls.read({ method: 'GET', path }, storedFile)
      return { sizeBytes: size ?? null }
    },

    async upload(name, file) {
      await calls.order({
        method: 'PUT',
        path: await pathOf(name),
        headers: {
          'content-type': name.endsWith('.bgcode') ? 'application/gcode+binary' : 'text/x.gcode',
          // The start is sent as a separate request, so that it is known whether it was sent.
          'print-after-upload': '?0',
          overwrite: '?0',
        },
        body: file,
      })
    },

    async remove(name) {
      await calls.remove(await pathOf(name))
    },
    async start(name) {
      await calls.order({ method: 'POST', path: await pathOf(name) })
    },
    pause: () => order('PUT', '/pause'),
    resume: () => order('PUT', '/resume'),
    cancel: () => order('DELETE', ''),
    snapshot: () => calls.picture('/api/v1/cameras/snap'),

    async findPrint(name) {
      const { printer } = await readStatus()
      const current = await findJob()
      const outcome = OUTCOMES[STATES[printer.state] ?? 'busy']
      if (!current || nameOf(current) !== name || !outcome) return 'unknown'
      const share = outcome === 'finished' ? 1 : (current.progress ?? 0) / 100
      const known = current.file?.meta ?? (await findMeta(name))
      return {
        outcome,
        used: usedOf(known, share),
        minutes: Math.max(0, Math.round((current.time_printing ?? 0) / 60)),
      }
    },
  }

  async function findMeta(name: string): Promise<z.infer<typeof meta>> {
    const answer = await calls.ask({ method: 'GET', path: await pathOf(name) })
    if (answer.status !== 200) return null
    return (await calls.read({ method: 'GET', path: await pathOf(name) }, storedFile)).meta
  }
}
