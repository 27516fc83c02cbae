import { isTimeZone } from '@pegasus/contracts/channels/channels'
import { paperHere } from './paper-here.ts'

/**
 * Returns the paper and the time zone of packing slips that are printed in this browser. Some browsers know only an
 * abbreviation of their zone; then the slip has no zone.
 */
export function slipStyleHere(): { paper: 'a4' | 'letter'; time_zone?: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { paper: paperHere(), ...(isTimeZone(timeZone) && { time_zone: timeZone }) }
}
