import { type PrinterConnector, type PrinterReading, type PrintRecord, baseName } from '../../connector.ts'
import type { BambuAccess, BambuReport, BambuSessions } from './bambu-sessions.ts'

const STATES: Readonly<Record<string, PrinterReading['state']>> = {
  IDLE: 'idle',
  PREPARE: 'printing',
  RUNNING: 'printing',
  PAUSE: 'paused',
  FINISH: 'finished',
}
const OUTCOMES: Readonly<Partial<Record<PrinterReading['state'], PrintRecord['outcome']>>> = {
  printing: 'running',
  paused: 'running',
  finished: 'finished',
  cancelled: 'cancelled',
  failed: 'failed',
}
/** The error 0300-400C, with which a printer reports that somebody cancelled the print. */
const CANCELLED = 0x0300400c

/** Formats an error code as the printer shows it, for example `0700-8002`. */
function errorCode(error: number): string {
  const digits = (error >>> 0).toString(16).toUpperCase().padStart(8, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}

/**
 * Returns our state for a report. A failed print without an error code counts as cancelled, because the machine itself
 * works.
 */
function stateOf({ gcode_state: state = '', print_error: error = 0 }: BambuReport): PrinterReading['state'] {
  if (state === 'FAILED') return error === 0 || error === CANCELLED ? 'cancelled' : 'failed'
  return STATES[state] ?? 'busy'
}

function readingOf(report: BambuReport): PrinterReading {
  const {
    gcode_state: shown,
    mc_percent: percent,
    mc_remaining_time: minutesLeft,
    print_error: error,
    gcode_start_time: startedAt = '0',
  } = report
  const state = stateOf(report)
  const isRunning = shown === 'RUNNING' || state === 'paused'
  const isEnded = state === 'cancelled' || state === 'failed'
  const share = percent === undefined ? null : Math.min(1, Math.max(0, percent / 100))
  return {
    state,
    file: state === 'idle' ? null : ((report.subtask_name || baseName(report.gcode_file)) ?? null),
    // While a print is being prepared, the report still contains the progress of the previous print, so it is ignored.
    progress: isRunning || isEnded ? share : state === 'finished' ? 1 : state === 'printing' ? 0 : null,
    minutesLeft: isRunning ? (minutesLeft ?? null) : null,
    message:
      error && (state === 'failed' || state === 'paused')
        ? `The printer shows the error ${errorCode(error)}.`
        : null,
    // The printer shows an ended print until the next one, and two prints of one file differ only in their start.
    ...((state === 'finished' || state === 'cancelled') && Number(startedAt) !== 0 && { printId: startedAt }),
  }
}

/**
 * Returns the tray of each filament of the project, in the format of the printer. Trays are counted from 0. A filament
 * that the plate does not use has the tray -1.
 */
function traysOf(slots: readonly { tool: number; slot: number }[]): number[] {
  const length = slots.reduce((most, { tool }) => Math.max(most, tool + 1), 0)
  return Array.from({ length }, (_, tool) => (slots.find((each) => each.tool === tool)?.slot ?? 0) - 1)
}

/**
 * Creates the connector for Bambu Lab printers in LAN mode. It follows public descriptions of the interface
 * (https://github.com/Doridian/OpenBambuAPI), and has never been tested with a real printer.
 */
export function createBambuConnector(
  access: BambuAccess,
  { sessions, signal }: { sessions: BambuSessions; signal?: AbortSignal | undefined },
): PrinterConnector {
  const open = async () => {
    const session = await sessions.open(access)
    signal?.throwIfAborted()
    return session
  }
  const read = async (): Promise<PrinterReading> => readingOf(await (await open()).read())
  const order = async (command: string, fields: Record<string, unknown> = { param: '' }): Promise<void> =>
    (await open()).order({ command, ...fields })
  const withFiles = async <T>(
    work: (files: Awaited<ReturnType<BambuSessions['openFiles']>>) => Promise<T>,
  ): Promise<T> => {
    const files = await sessions.openFiles(access, signal)
    try {
      return await work(files)
    } finally {
      files.close()
    }
  }
  return {
    readState: read,

    async findFile(name) {
      const sizeBytes = await withFiles((files) => files.findSize(name))
      return sizeBytes === null ? null : { sizeBytes }
    },
    upload: (name, file) => withFiles((files) => files.store(name, file)),
    remove: (name) => withFiles((files) => files.remove(name)),

    start: (name, { plate, slots }) =>
      order('project_file', {
        param: `Metadata/plate_${plate}.gcode`,
        url: `ftp:///${name}`,
        file: name,
        subtask_name: name,
        project_id: '0',
        profile_id: '0',
        task_id: '0',
        subtask_id: '0',
        md5: '',
        timelapse: false,
        bed_type: 'auto',
        bed_levelling: true,
        flow_cali: false,
        vibration_cali: false,
        layer_inspect: false,
        use_ams: slots !== null,
        ams_mapping: slots === null ? '' : traysOf(slots),
      }),
    pause: () => order('pause'),
    resume: () => order('resume'),
    cancel: () => order('stop'),
    // The camera has its own protocol, which the server does not support.
    snapshot: () => Promise.resolve(null),

    async findPrint(name) {
      const { state, file } = await read()
      const outcome = OUTCOMES[state]
      return file === name && outcome ? { outcome, used: null, minutes: null } : 'unknown'
    },
  }
}
