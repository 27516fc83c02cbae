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
   * process that does not look at all leases soon forgets it.
   */
  note(lease: SeenLease): void
  /** Records all existing leases, and forgets the others. After a gap, every lease gets its whole time again. */
  noteAll(leases: readonly SeenLease[]): void
  /** Records the lease, and returns whether its time has ended. */
  hasEnded(lease: SeenLease): boolean
  /**
   * Returns the leases whose time has ended, as they were when they were last seen. Returns none if the process has not
   * looked at all leases recently.
   */
  listEnded(): SeenLease[]
}

/** After this many missed rounds, a process may have missed renewals. */
const MISSED_ROUNDS = 3
/** A process that does not look at all leases forgets those that it has not seen renewed for this many leases. */
const KEPT_LEASES = 3

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
  // Sorted by `sinceMs`, because every new entry is added at the end.
  const seen = new Map<string, { renewedAt: string; sinceMs: number }>()
  let lookedMs: number | undefined
  const ageOf = ({ sinceMs }: { sinceMs: number }) => clock.elapsedMs() - sinceMs
  const isOver = (each: { sinceMs: number }) => ageOf(each) >= leaseMs
  const hasLooked = () =>
    lookedMs !== undefined && clock.elapsedMs() - lookedMs <= MISSED_ROUNDS * lookEveryMs

  const forgetOld = () => {
    for (const [id, each] of seen) {
      if (ageOf(each) < KEPT_LEASES * leaseMs) return
      seen.delete(id)
    }
  }

  const note = ({ id, renewed_at: renewedAt }: SeenLease) => {
    const known = seen.get(id)
    if (known?.renewedAt === renewedAt) return known
    if (!hasLooked()) forgetOld()
    const first = { renewedAt, sinceMs: clock.elapsedMs() }
    seen.delete(id)
    seen.set(id, first)
    return first
  }

  return {
    note,
    noteAll(leases) {
      if (!hasLooked()) seen.clear()
      for (const lease of leases) note(lease)
      const existing = new Set(leases.map(({ id }) => id))
      for (const id of seen.keys()) if (!existing.has(id)) seen.delete(id)
      lookedMs = clock.elapsedMs()
    },
    hasEnded: (lease) => isOver(note(lease)),
    listEnded: () =>
      hasLooked()
        ? [...seen]
            .filter(([, each]) => isOver(each))
            .map(([id, { renewedAt }]) => ({ id, renewed_at: renewedAt }))
        : [],
  }
}
