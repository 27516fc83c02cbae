import type { Clock } from '../../../platform/clock.ts'
import type { SeenLease } from './leases.queries.ts'

/**
 * Decides which leases have ended. A lease ends when this process has seen it without a renewal for the whole duration
 * of a lease. The process measures this with its own timer, because the wall clock may jump and differs between
 * processes. Time in which the process did not check the leases does not count, because it could have missed a renewal.
 */
export interface LeaseWatch {
  /**
   * Records that this process has just seen the lease. Seeing it again changes nothing unless it was renewed. Does
   * nothing if this process has not checked all leases recently, because its next check starts over anyway.
   */
  note(lease: SeenLease): void
  /**
   * Records all existing leases and forgets all others. If the last check was too long ago, every lease starts again
   * with its full duration.
   */
  noteAll(leases: readonly SeenLease[]): void
  /**
   * Returns the leases that have ended, as they were when they were last seen. Returns an empty list if this process
   * has not checked all leases recently.
   */
  listEnded(): SeenLease[]
}

/** After this many missed checks, a process may also have missed renewals. */
const MISSED_ROUNDS = 3

/** Creates a watch for leases that last `leaseMs`. The process calls `noteAll` every `lookEveryMs`, or never. */
export function createLeaseWatch({
  clock,
  leaseMs,
  lookEveryMs,
}: {
  clock: Clock
  leaseMs: number
  lookEveryMs: number
}): LeaseWatch {
  const seenLeases = new Map<string, { renewedAt: string; sinceMs: number }>()
  let lookedMs: number | undefined
  const isOver = ({ sinceMs }: { sinceMs: number }) => clock.elapsedMs() - sinceMs >= leaseMs
  const hasLooked = () =>
    lookedMs !== undefined && clock.elapsedMs() - lookedMs <= MISSED_ROUNDS * lookEveryMs

  const record = ({ id, renewed_at: renewedAt }: SeenLease) => {
    if (seenLeases.get(id)?.renewedAt !== renewedAt)
      seenLeases.set(id, { renewedAt, sinceMs: clock.elapsedMs() })
  }

  return {
    note(lease) {
      if (hasLooked()) record(lease)
    },
    noteAll(leases) {
      if (!hasLooked()) seenLeases.clear()
      for (const lease of leases) record(lease)
      const existing = new Set(leases.map(({ id }) => id))
      for (const id of seenLeases.keys()) if (!existing.has(id)) seenLeases.delete(id)
      lookedMs = clock.elapsedMs()
    },
    listEnded: () =>
      hasLooked()
        ? [...seenLeases]
            .filter(([, each]) => isOver(each))
            .map(([id, { renewedAt }]) => ({ id, renewed_at: renewedAt }))
        : [],
  }
}
