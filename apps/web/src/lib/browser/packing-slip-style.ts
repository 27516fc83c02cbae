import { isTimeZone } from '@pegasus/contracts/channels/channels'
import { usualPaper } from './usual-paper.ts'

/**
 * Returns the paper and the time zone of packing slips that are printed in this browser. Some browsers know only an
 * abbreviation of their zone; then the slip has no zone.
 */
export function packingSlipStyle(): { paper: 'a4' | 'letter'; time_zone?: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { paper: usualPaper(), ...(isTimeZone(timeZone) && { time_zone: timeZone }) }
}
