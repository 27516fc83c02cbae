import * as z from 'zod/mini'
import {
  type PrinterConnector,
  type PrinterReading,
  type PrintRecord,
  baseName,
  printerWords,
} from '../connector.ts'
import type { PrinterCalls } from '../printer-calls.ts'
import { findCameraAddress } from './camera-address.ts'
import { uploadForm } from '../multipart-file.ts'

const status = z.object({
  result: z.object({
    status: z.object({
      webhooks: z.optional(z.object({ state: z.string(), state_message: z.optional(z.string()) })),
      print_stats: z.optional(
        z.object({
          filename: z.string(),
          state: z.string(),
          message: z.optional(z.string()),
          print_duration: z.number(),
          total_duration: z.optional(z.number()),
        }),
      ),
      virtual_sdcard: z.optional(z.object({ progress: z.number() })),
      display_status: z.optional(z.object({ message: z.nullish(z.string()) })),
    }),
  }),
})

const metadata = z.object({
  result: z.object({ size: z.number(), print_start_time: z.nullish(z.number()) }),
})

const history = z.object({
  result: z.object({
    jobs: z.array(
      z.object({
        filename: z.string(),
        status: z.string(),
        print_duration: z.number(),
        filament_used: z.number(),
      }),
    ),
  }),
})

const webcams = z.object({
  result: z.object({
    webcams: z.array(z.object({ enabled: z.optional(z.boolean()), snapshot_url: z.optional(z.string()) })),
  }),
})

/** Maps Klipper's states to ours. In all states that are not listed, the printer is idle. */
const STATES: Readonly<Record<string, PrinterReading['state']>> = {
  printing: 'printing',
  paused: 'paused',
  complete: 'finished',
  cancelled: 'cancelled',
  error: 'failed',
}

const OUTCOMES: Readonly<Record<string, PrintRecord['outcome']>> = {
  in_progress: 'running',
  completed: 'finished',
  cancelled: 'cancelled',
  error: 'failed',
}

/** Maximum number of history entries in which one of our prints is searched. */
const HISTORY_LENGTH = 50

/**
 * Creates the connector for Klipper with Moonraker.
 * https://moonraker.readthedocs.io/en/latest/external_api/introduction/
 */
export function createMoonrakerConnector(calls: PrinterCalls): PrinterConnector {
  const post = async (path: string, body: Record<string, unknown> = {}): Promise<void> => {
    await calls.order({ method: 'POST', path, body })
  }
  /** Returns Moonraker's metadata of a file, or null if it does not have the file. */
  const readMetadata = async (name: string) => {
    const path = `/server/files/metadata?filename=${encodeURIComponent(name)}`
    const answer = await calls.ask({ method: 'GET', path })
    return answer.status === 404 ? null : (await calls.read({ method: 'GET', path }, metadata)).result
  }
  return {
    async readState() {
      const path = '/printer/objects/query?webhooks&print_stats&virtual_sdcard&display_status'
      const { result } = await calls.read({ method: 'GET', path }, status)
      const { webhooks, print_stats: print, virtual_sdcard: card, display_status: display } = result.status
      const nothing = { file: null, progress: null, minutesLeft: null }
      if (webhooks && webhooks.state !== 'ready') {
        const message = printerWords(webhooks.state_message) ?? 'Klipper is not ready.'
        return { ...nothing, state: webhooks.state === 'startup' ? 'busy' : 'failed', message }
      }
      if (!print) return { ...nothing, state: 'idle', message: null }
      const progress = card ? Math.min(1, Math.max(0, card.progress)) : null
      const seconds = print.print_duration
      const printId = `${print.total_duration ?? seconds} s ${print.filename}`
      return {
        state: STATES[print.state] ?? 'idle',
        file: baseName(print.filename),
        progress,
        minutesLeft: progress ? Math.ceil((seconds / progress - seconds) / 60) : null,
        message: printerWords(print.message) ?? printerWords(display?.message),
        // Klipper keeps the error of a print until the next print begins, and still accepts a start. The print time no
        // longer changes then, so it distinguishes two prints of the same file. Unlike the history, every installation
        // reports it.
        ...(print.state === 'error' && webhooks && { failedPrint: printId }),
        ...((print.state === 'complete' || print.state === 'cancelled') && { printId }),
      }
    },

    async findFile(name) {
      const known = await readMetadata(name)
      return known && { sizeBytes: known.size }
    },

    async upload(name, file) {
      const form = uploadForm(name, file, { root: 'gcodes', print: 'false' })
      await calls.order({ method: 'POST', path: '/server/files/upload', ...form })
    },

    remove: (name) => calls.remove(`/server/files/gcodes/${encodeURIComponent(name)}`),
    start: (name) => post('/printer/print/start', { filename: name }),
    pause: () => post('/printer/print/pause'),
    resume: () => post('/printer/print/resume'),
    cancel: () => post('/printer/print/cancel'),

    async snapshot() {
      const { result } = await calls.read({ method: 'GET', path: '/server/webcams/list' }, webcams)
      const camera = result.webcams.find(({ enabled, snapshot_url: url }) => enabled !== false && url)
      const found = camera?.snapshot_url ? findCameraAddress(calls.address, camera.snapshot_url) : null
      return found && calls.picture(found.path, found.address)
    },

    async findPrint(name) {
      const path = `/server/history/list?limit=${HISTORY_LENGTH}&order=desc`
      const answer = await calls.ask({ method: 'GET', path })
      // Some installations have no history.
      if (answer.status === 404) return 'unknown'
      const { result } = await calls.read({ method: 'GET', path }, history)
      const job = result.jobs.find(({ filename }) => baseName(filename) === name)
      if (!job) {
        // A person can clear the history, so a missing entry proves nothing. But if the file still exists and has no
        // print start time, it was never printed.
        const known = await readMetadata(name)
        return known && known.print_start_time == null ? null : 'unknown'
      }
      return {
        outcome: OUTCOMES[job.status] ?? 'lost',
        used: { mm: Math.max(0, job.filament_used), isMeasured: true },
        minutes: Math.max(0, Math.round(job.print_duration / 60)),
      }
    },
  }
}
