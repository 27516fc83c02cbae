import type { Spool } from '@pegasus/contracts/filament/spools'
import type { Printer, PrinterKind } from '@pegasus/contracts/print-queue/printers'
import {
  formatCount,
  formatAgo,
  formatDate,
  formatGrams,
  formatMinutes,
  formatPercent,
} from '@/lib/format/format.ts'
import { MINUTE_MS, elapsedShare } from '@/lib/format/durations.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

export const KIND_LABELS: Readonly<Record<PrinterKind, string>> = {
  manual: t('By hand'),
  agent: t('Agent with an API key'),
  moonraker: 'Klipper (Moonraker)',
  octoprint: 'OctoPrint',
  prusalink: 'PrusaLink',
  bambu: t('Bambu Lab (LAN mode)'),
}

/**
 * Returns when a manually started print should end, in ms since 1970. Null for prints that a person did not
 * start, and without an estimate.
 */
function estimatedEndMs({ kind, state, current_job: job }: Printer): number | null {
  if (kind !== 'manual' || state !== 'printing' || !job?.estimated_minutes) return null
  return Date.parse(job.started_at) + job.estimated_minutes * MINUTE_MS
}

/**
 * Returns the progress of the current print, from 0 to 1. It is reported by the printer, or estimated from the time if
 * a person started the print. Null if it is unknown.
 */
export function progressOf(printer: Printer, nowMs: number): number | null {
  const { progress, current_job: job } = printer
  const end = estimatedEndMs(printer)
  if (!job || end === null || (progress ?? 0) > 0) return job ? progress : null
  return elapsedShare(Date.parse(job.started_at), end, nowMs)
}

/** Returns the color of the part that is printed. Null if it is unknown, because spools of several colors are loaded. */
export function partColor({ slots }: Pick<Printer, 'slots'>): string | null {
  const colors = new Set(slots.flatMap((slot) => (slot.filament_id === null ? [] : slot.color_hex)))
  const [color = null] = colors
  return colors.size === 1 ? color : null
}

/** Formats the remaining time: `1 h 14 min left`. Null if it is unknown. */
export function timeLeft(printer: Printer, nowMs: number): string | null {
  const { state, finishes_at: reportedEnd } = printer
  const end = reportedEnd === null ? estimatedEndMs(printer) : Date.parse(reportedEnd)
  if (end === null || (state !== 'printing' && state !== 'paused')) return null
  const minutes = (end - nowMs) / MINUTE_MS
  return minutes < 0.5 ? t('should be done') : t('{minutes} left', { minutes: formatMinutes(minutes) })
}

/**
 * Returns the line below the state. It explains what the printer waits for, or shows the progress of its
 * print.
 */
export function printerNote(printer: Printer, nowMs: number): string {
  const { state, state_until: until, seen_at: seenAt } = printer
  const reason = printer.state_reason && serverText(printer.state_reason)
  switch (state) {
    case 'available':
      return printer.maintenance_due.length > 0
        ? t('Due: {maintenance_due}', { maintenance_due: printer.maintenance_due.join(', ') })
        : printer.spool_to_load
          ? t('Load {spool} for the next job', { spool: spoolName(printer.spool_to_load) })
          : t('Ready for the next job')
    case 'printing':
    case 'paused':
      return (
        // A job that is being sent to the printer has no time left yet. If the printer refuses it, it has a reason.
        joinFacts([timeLeft(printer, nowMs), reason]) ||
        (printer.current_job ? startedAgo(printer, nowMs) : t('Started at the machine'))
      )
    case 'needs_clearing':
      return reason ?? t('Take the plate off, then press Done')
    case 'maintenance':
      return [reason ?? t('Out of use'), until && t('until {until}', { until: formatDate(until) })]
        .filter(Boolean)
        .join(', ')
    case 'offline':
      return (
        reason ?? (seenAt ? t('Last seen {seenAt}', { seenAt: formatAgo(seenAt, nowMs) }) : t('Never seen'))
      )
    case 'error':
      return reason ?? t('The printer reports an error')
  }
}

/** Formats the spool to load: `S-0042 (PLA Red)`. */
const spoolName = ({ filament_label: label, material, color }: NonNullable<Printer['spool_to_load']>) =>
  `${label} (${[material, color].filter(Boolean).join(' ')})`

const startedAgo = ({ current_job: job }: Printer, nowMs: number): string =>
  job ? t('Started {started_at}', { started_at: formatAgo(job.started_at, nowMs) }) : ''

/** Formats the filament in a slot: `PLA Black`. Null for an empty slot. */
export const filamentName = ({ material, color }: Printer['slots'][number]): string | null =>
  material === null ? null : [material, color].filter(Boolean).join(' ')

/** Returns the option of a list of spools: `S-0117 · PLA Black, 840 g`. */
export const spoolOption = (spool: Spool): { value: string; label: string } => ({
  value: spool.id,
  label: `${spool.label_code} · ${[spool.material, spool.color].filter(Boolean).join(' ')}, ${formatGrams(spool.remaining_grams)}`,
})

/** Formats the sizes of a printer: `250 × 210 × 220 mm, 0.4 mm nozzle`. */
export function sizeText({ bed_mm: bed, nozzle_mm: nozzle }: Printer): string | null {
  const parts = [
    bed && t('{bed} mm', { bed: bed.map(formatCount).join(' × ') }),
    nozzle && t('{nozzle} mm nozzle', { nozzle: formatCount(nozzle) }),
  ]
  return parts.filter(Boolean).join(', ') || null
}

export const successText = ({ success_rate: rate }: Printer): string | null =>
  rate === null ? null : formatPercent(rate)
