import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { isPrintJobActionAllowed, requeueMode } from '@pegasus/contracts/statuses'
import { formatAgo, formatGrams, formatMinutes } from '@/lib/format/format.ts'
import { MINUTE_MS, elapsedShare } from '@/lib/format/durations.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** Returns how a job can be queued again; null if another job has its missing pieces already. */
export function requeueModeOf(job: PrintJob): ReturnType<typeof requeueMode> {
  const mode = requeueMode(job)
  const isTaken = job.next_job_id !== null || job.merged_into_job_id !== null
  return isTaken && mode === 'next_attempt' ? null : mode
}

/** Returns the most likely next step of a job, which has a button; null if there is none. */
export function nextStepOf(job: PrintJob): 'start' | 'complete' | 'requeue' | 'print_again' | null {
  if (isPrintJobActionAllowed('start', job.status)) return 'start'
  if (job.status === 'in_progress') return job.can_complete ? 'complete' : null
  if (requeueModeOf(job)) return 'requeue'
  return job.status === 'completed' ? 'print_again' : null
}

/**
 * Minimum progress from which the end of a print is estimated. Heating and the first layer say little about the speed.
 */
const MIN_SHARE_FOR_ESTIMATE = 0.05

/** The print that the remaining time and the progress of a running job describe. Times are in ms since 1970. */
interface RunningPrint {
  startMs: number
  /** Null if there is no estimate. */
  endMs: number | null
  /** The reported progress from 0 to 1; null if it is not reported. */
  progress: number | null
}

/**
 * Returns the running plate, so that the job shows the same figures as the card of its printer. Until the server has
 * responded to a start, returns the whole job, with its end in the plan of the day or its estimate.
 */
function runningPrint(job: PrintJob): RunningPrint | null {
  const { status, current_plate: plate, started_at, expected_end, estimated_minutes: minutes } = job
  if (status !== 'in_progress') return null
  if (plate)
    return {
      startMs: Date.parse(plate.started_at),
      endMs: plate.ends_at === null ? null : Date.parse(plate.ends_at),
      progress: plate.progress,
    }
  if (!started_at) return null
  const startMs = Date.parse(started_at)
  const estimatedMs = minutes === null ? null : startMs + minutes * MINUTE_MS
  return {
    startMs,
    endMs: expected_end === null ? estimatedMs : Date.parse(expected_end),
    progress: job.agent !== null || job.progress > 0 ? job.progress : null,
  }
}

/**
 * Returns the estimated end of the running plate of a job, in ms since 1970. A plate without an estimate ends when its
 * printer keeps the speed that it reported so far, once it has printed for a minute. Null if nothing is known.
 */
export function doneAtMs(job: PrintJob, nowMs: number): number | null {
  const print = runningPrint(job)
  if (!print || print.endMs !== null) return print?.endMs ?? null
  const elapsedMs = nowMs - print.startMs
  const progress = print.progress ?? 0
  return progress < MIN_SHARE_FOR_ESTIMATE || elapsedMs < MINUTE_MS
    ? null
    : print.startMs + elapsedMs / progress
}

/** Formats the remaining time: `1 h 14 min left` or `should be done`; null if it is unknown. */
export function timeLeft(job: PrintJob, nowMs: number): string | null {
  const doneAt = doneAtMs(job, nowMs)
  if (doneAt === null) return null
  const minutes = (doneAt - nowMs) / MINUTE_MS
  if (minutes >= 0.5) return t('{minutes} left', { minutes: formatMinutes(minutes) })
  return runningPrint(job)?.endMs == null ? t('almost done') : t('should be done')
}

/**
 * Returns the progress of the running plate of a job from 0 to 1. It is the printer's own report, or else the elapsed
 * share of the estimate. Null if neither is known.
 */
export function shareDone(job: PrintJob, nowMs: number): number | null {
  if (job.is_printed) return 1
  const print = runningPrint(job)
  if (!print || print.progress !== null) return print?.progress ?? null
  const { startMs, endMs } = print
  return endMs === null || endMs <= startMs ? null : elapsedShare(startMs, endMs, nowMs)
}

/** Formats the elapsed time, for jobs whose end is unknown: `Printing for 12 min`. */
export function timeElapsed(job: PrintJob, nowMs: number): string {
  const print = runningPrint(job)
  const minutes = print ? (nowMs - print.startMs) / MINUTE_MS : 0
  return minutes < 1 ? t('Just started') : t('Printing for {minutes}', { minutes: formatMinutes(minutes) })
}

/** Describes a running job: the remaining or elapsed time, or that its plates are printed and wait for a person. */
export const runningText = (job: PrintJob, nowMs: number): string =>
  job.is_printed ? t('To be cleared') : (timeLeft(job, nowMs) ?? timeElapsed(job, nowMs))

export type JobNoteKind = 'running' | 'hold' | 'spool' | 'retry' | 'waiting' | 'done' | 'failed' | 'cancelled'

export interface JobNote {
  kind: JobNoteKind
  text: string
  /** A detail below the text, which helps to decide on the next step. */
  detail: string | null
}

/** Explains the status of a job. If several reasons apply, it names the one to deal with first. */
export function jobNote(job: PrintJob, nowMs: number): JobNote {
  const { status, printer } = job
  switch (status) {
    case 'in_progress':
      return { kind: 'running', text: runningText(job, nowMs), detail: printer }
    case 'on_hold':
      return {
        kind: 'hold',
        text: job.hold_reason ? t('On hold: {hold_reason}', { hold_reason: job.hold_reason }) : t('On hold'),
        detail: null,
      }
    case 'pending':
      return (
        waitNote(job) ?? retryNote(job) ?? { kind: 'waiting', text: waitText(job), detail: firstAction(job) }
      )
    case 'failed':
      return {
        kind: 'failed',
        text: serverText(job.failure_reason ?? '') || t('Failed'),
        detail: finishedText(job, nowMs),
      }
    case 'completed':
      return { kind: 'done', text: goodText(job), detail: finishedText(job, nowMs) }
    case 'cancelled':
      return { kind: 'cancelled', text: t('Cancelled'), detail: finishedText(job, nowMs) }
  }
}

const waitText = ({ printer, waits_for: waits }: PrintJob): string => {
  // No printer has a reason against the job, so its print can start now.
  if (waits.length === 0) return t('Ready to print')
  return printer ? t('Waiting for {printer}', { printer }) : t('Waiting for a printer')
}

/** Returns what a person can do about the first reason to wait; null if there is nothing. */
const firstAction = ({ waits_for: [first] }: PrintJob): string | null =>
  first?.action ? serverText(first.action.label) : null

/** Explains why no printer can start the job. In a shop without printers, only the selected spool matters. */
function waitNote(job: PrintJob): JobNote | null {
  const [first, ...others] = job.waits_for
  if (!first || first.code === 'no_printer') return spoolNote(job)
  const isFilament = first.code === 'material' || first.code === 'color' || first.code === 'grams_short'
  return {
    kind: isFilament ? 'spool' : 'waiting',
    text: serverText(first.message),
    detail: first.action
      ? serverText(first.action.label)
      : others.length > 0
        ? t('{others, plural, one {# more reason} other {# more reasons}}', { others: others.length })
        : null,
  }
}

function spoolNote(job: PrintJob): JobNote | null {
  const { filament_id, filament_label, filament_remaining_grams: left, estimated_grams: need } = job
  if (!filament_id || left === null || need === null || left >= need) return null
  const weights = { need: formatGrams(need), left: formatGrams(left) }
  return {
    kind: 'spool',
    text: filament_label
      ? t('Needs {need}, {left} left on {filament_label}', { ...weights, filament_label })
      : t('Needs {need}, {left} left', weights),
    detail: t('{need} short', { need: formatGrams(need - left) }),
  }
}

const retryNote = ({ attempt }: PrintJob): JobNote | null =>
  attempt > 1
    ? { kind: 'retry', text: t('Attempt {attempt} after a failure', { attempt }), detail: null }
    : null

const goodText = ({ good_quantity, rejected_quantity }: PrintJob): string =>
  rejected_quantity > 0
    ? t('{good_quantity} good, {rejected_quantity} rejected', { good_quantity, rejected_quantity })
    : t('{good_quantity} good', { good_quantity })

const finishedText = ({ finished_at }: PrintJob, nowMs: number): string | null =>
  finished_at && formatAgo(finished_at, nowMs)

/** Returns the filament that the job needs: `PETG Signal Orange`. */
export const filamentOf = ({ material, color }: PrintJob): string =>
  [material, color].filter(Boolean).join(' ')
