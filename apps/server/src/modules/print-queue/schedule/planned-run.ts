/** Plates of a job that are printed one after the other on one printer. Times are in milliseconds since 1970. */
export interface PlannedRun {
  printerId: string
  jobId: string
  plates: number
  pieces: number
  startsAt: number
  endsAt: number
  isRunning: boolean
  /** True if the duration is unknown, so that a default is assumed. */
  isGuess: boolean
  /** The spools that have to be loaded before the print. The slot is null on a printer with one slot. */
  loads: { spoolId: string; slot: number | null }[]
}
