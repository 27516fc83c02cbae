import { paperHere } from './paper-here.ts'

/** Returns the paper and the time zone of packing slips that are printed in this browser. */
export function slipStyleHere(): { paper: 'a4' | 'letter'; time_zone?: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { paper: paperHere(), ...(timeZone && { time_zone: timeZone }) }
}
