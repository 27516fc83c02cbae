import type { Clock } from '../../../platform/clock.ts'
import type { SeenLease } from './leases.queries.ts'

/**
 * Measures how long agents have been silent. A lease ends when this process has seen it without a renewal for the whole
 * time of a lease. The wall clock does not count, because it may jump, and because other processes have other clocks.
 * Only time in which the process looks at all leases counts, because it would not have seen a renewal otherwise.
 */
export interface LeaseWatch {
  /**
   * Records that this process has just seen the lease. A repeated call changes nothing until the lease is renewed. A
   * process that has not looked at all leases recently records nothing, because its next look starts over.
   */
  note(lease: SeenLease): void
  /** Records all existing leases, and forgets the others. After a gap, every lease gets its whole time again. */
  noteAll(leases: readonly SeenLease[]): void
  /**
   * Returns the leases whose time has ended, as they were when they were last seen. Returns none if the process has not
   * looked at all leases recently.
   */
  listEnded(): SeenLease[]
}

/** After this many missed rounds, a process may have missed renewals. */
const MISSED_ROUNDS = 3

/**
 * Creates a watch for leases that last `leaseMs`, in a process that looks at all leases every `lookEveryMs`, or never
 * looks.
 */
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
