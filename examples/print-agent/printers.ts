import { type ChildProcess, spawn } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { once } from 'node:events'
import type { JobFile } from './ops-client.ts'
import type { Settings } from './settings.ts'

/** The status of a print. `unknown` means that the printer has no record of the print. */
export interface PrintStatus {
  state: 'unknown' | 'running' | 'finished' | 'failed'
  /** Progress from 0 to 1. */
  progress: number
  /** The reason why the print failed, as readable text; null if it has not failed. */
  reason: string | null
  usedMm: number | null
  minutes: number | null
}

/** The printer that the agent controls. */
export interface LocalPrinter {
  /**
   * Returns whether a print can be started now. A print that the printer still shows may be on the bed, unless it
   * is one of ours: Pegasus Ops knows whether that one was cleared.
   */
  isFree(isOurs: (fileName: string) => boolean): Promise<boolean>
  /** Sends the file to the printer. Does not start it. */
  upload(fileName: string, path: string, signal: AbortSignal): Promise<void>
  /** Starts the file, which was uploaded before, with the plate and the tools that the job names. */
  start(fileName: string, path: string, file: Pick<JobFile, 'plate' | 'tools'>): Promise<void>
  look(fileName: string): Promise<PrintStatus>
  /** Stops the print of this file. Does nothing if the printer does not print it. */
  cancel(fileName: string): Promise<void>
}

const TIMEOUT_MS = 20_000
/** After this time, a record that still reports a running print is wrong if the printer is not printing. */
const LONGEST_OPEN_MS = 5 * 60_000
const NOTHING = { progress: 0, reason: null, usedMm: null, minutes: null }

export const createLocalPrinter = (settings: Settings): LocalPrinter =>
  settings.printerUrl === null
    ? createCommandPrinter(settings.command ?? [])
    : createMoonrakerPrinter(settings.printerUrl, settings.printerKey)

interface PrintStats {
  filename: string
  state: string
  message?: string
  print_duration: number
  filament_used: number
}

interface HistoryJob {
  filename: string
  status: string
  print_duration: number
  filament_used: number
}

const REASONS: Readonly<Record<string, string>> = {
  cancelled: 'The print was cancelled at the printer.',
  error: 'The printer ended the print with an error.',
}

function createMoonrakerPrinter(url: string, key: string): LocalPrinter {
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    body?: string | FormData,
    signal: AbortSignal = AbortSignal.timeout(TIMEOUT_MS),
  ): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key !== '' && { 'x-api-key': key }),
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal,
    })
    if (!response.ok) throw new Error(`The printer responded with status ${response.status}.`)
    return ((await response.json()) as { result: unknown }).result
  }
  const stats = async (): Promise<{ print: PrintStats; progress: number }> => {
    const { status } = (await call('GET', '/printer/objects/query?print_stats&virtual_sdcard')) as {
      status: { print_stats: PrintStats; virtual_sdcard?: { progress: number } }
    }
    return { print: status.print_stats, progress: status.virtual_sdcard?.progress ?? 0 }
  }
  /** When the record of an ended print was first seen open. */
  let openSinceMs: number | null = null
  return {
    async isFree(isOurs) {
      const { print } = await stats()
      if (print.state === 'printing' || print.state === 'paused') return false
      return print.state === 'standby' || isOurs(print.filename)
    },

    async upload(fileName, path, signal) {
      const form = new FormData()
      form.set('root', 'gcodes')
      form.set('file', await openAsBlob(path), fileName)
      await call('POST', '/server/files/upload', form, signal)
    },

    async start(fileName) {
      await call('POST', '/printer/print/start', JSON.stringify({ filename: fileName }))
    },

    async look(fileName) {
      const { print, progress } = await stats()
      const isRunning = print.state === 'printing' || print.state === 'paused'
      if (print.filename === fileName && isRunning) return { ...NOTHING, state: 'running', progress }
      const { jobs } = (await call('GET', '/server/history/list?limit=50&order=desc')) as {
        jobs: HistoryJob[]
      }
      const job = jobs.find(({ filename }) => filename === fileName)
      if (!job) return { ...NOTHING, state: 'unknown' }
      // Moonraker ends the record a moment after Klipper has ended the print.
      const isOpen = job.status === 'in_progress' && print.filename === fileName
      if (!isOpen) openSinceMs = null
      else openSinceMs ??= performance.now()
      if (openSinceMs !== null && performance.now() - openSinceMs < LONGEST_OPEN_MS)
        return { ...NOTHING, state: 'running', progress }
      // Some records never end. The screen still shows how the print has ended.
      const isGood = isOpen ? print.state === 'complete' : job.status === 'completed'
      return {
        state: isGood ? 'finished' : 'failed',
        progress,
        reason: isGood ? null : (REASONS[job.status] ?? 'The printer restarted during the print.'),
        usedMm: Math.max(0, job.filament_used),
        minutes: Math.max(0, Math.round(job.print_duration / 60)),
      }
    },

    async cancel(fileName) {
      const { print } = await stats()
      const isRunning = print.state === 'printing' || print.state === 'paused'
      if (isRunning && print.filename === fileName) await call('POST', '/printer/print/cancel')
    },
  }
}

/**
 * Creates a printer that is controlled by a program. The program prints the file whose path is its last
 * argument, and exits with 0 if that succeeded. The environment variable `PLATE` contains the number of the plate, and
 * `TOOLS` contains the tools as JSON. The program may print lines such as `progress 0.4` for its progress and
 * `used_mm 1234` for the filament it used. It ends with the agent, so a print that a restart interrupts counts as
 * failed.
 */
function createCommandPrinter([program = '', ...args]: readonly string[]): LocalPrinter {
  let child: ChildProcess | null = null
  let printing = ''
  let status: PrintStatus = { ...NOTHING, state: 'unknown' }
  return {
    isFree: () => Promise.resolve(status.state !== 'running'),

    // The program reads the file from its folder.
    upload: () => Promise.resolve(),

    async start(fileName, path, { plate, tools }) {
      const startedAt = Date.now()
      child = spawn(program, [...args, path], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, PLATE: String(plate ?? ''), TOOLS: JSON.stringify(tools) },
      })
      printing = fileName
      status = { ...NOTHING, state: 'running' }
      let rest = ''
      child.stdout?.on('data', (chunk: Buffer) => {
        const lines = `${rest}${chunk.toString('utf8')}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const [word, value] = line.trim().split(/\s+/)
          if (word === 'progress') status = { ...status, progress: Number(value) || 0 }
          if (word === 'used_mm') status = { ...status, usedMm: Number(value) || 0 }
        }
      })
      child.once('exit', (code) => {
        const minutes = Math.round((Date.now() - startedAt) / 60_000)
        const reason = code === 0 ? null : `The print program ended with ${code ?? 'a signal'}.`
        status = { ...status, state: code === 0 ? 'finished' : 'failed', reason, minutes }
      })
      await once(child, 'spawn')
    },

    look: (fileName) => Promise.resolve(fileName === printing ? status : { ...NOTHING, state: 'unknown' }),

    cancel(fileName) {
      if (fileName === printing && status.state === 'running') child?.kill()
      return Promise.resolve()
    },
  }
}
