import { OUTAGE_MS } from '@pegasus/contracts/print-queue/lost-prints'
import { MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'
import type { PrinterConnector } from './connector.ts'
import type { PrinterVisit } from './visits/printer-visit.ts'

/** Time after which a request can no longer be on its way to a printer. */
export const REQUEST_GRACE_MS = 20 * SECOND_MS
/**
 * Time after which a start that a printer received no longer leads to a print. Slow printers load the file, heat up and
 * home for up to 90 seconds before they show the print. This is twice as long.
 */
export const START_GRACE_MS = 3 * MINUTE_MS

/**
 * Returns whether `sentAt` is less than `graceMs` before or after `now`. It can be after, because the clock can be set
 * back.
 */
export const isWithin = (graceMs: number, sentAt: string, now: Date): boolean =>
  Math.abs(now.getTime() - new Date(sentAt).getTime()) < graceMs

/**
 * Returns whether the printer responds again after a time in which no command could reach it. A printer that responds
 * is visited more often than this time. The time limits for its commands start again.
 */
export const isAfterOutage = ({ printer, clock }: PrinterVisit): boolean =>
  printer.seen_at !== null && !isWithin(OUTAGE_MS, printer.seen_at, clock.now())

/**
 * Returns whether a start that was sent at this time may still lead to a print. If the printer's record proves that the
 * file was not printed, the start never arrived, so a shorter time suffices.
 */
export const mayStillBegin = (
  sentAt: string,
  now: Date,
  record: Awaited<ReturnType<PrinterConnector['findPrint']>>,
): boolean => isWithin(record === 'unknown' ? START_GRACE_MS : REQUEST_GRACE_MS, sentAt, now)
