import type { Clock } from '../../../platform/clock.ts'
import type { SeenLease } from './leases.queries.ts'

/**
 * Measures how long agents have been silent. A lease ends when this process has seen it without a renewal for the whole
 * time of a lease. The wall clock does not count, because it may jump, and because other processes have other clocks.
 */
export interface LeaseWatch {
  /** Records that this process has just seen the lease. A repeated call changes nothing until the lease is renewed. */
  note(lease: SeenLease): void
  /** Records all existing leases, and forgets the others. */
  noteAll(leases: readonly SeenLease[]): void
  /** Records the lease, and returns whether its time has ended. */
  hasEnded(lease: SeenLease): boolean
  /** Returns the leases whose time has ended, as they were when they were last seen. */
  listEnded(): SeenLease[]
}

/** Creates a watch for leases that last `leaseMs`. */
export function createLeaseWatch({ clock, leaseMs }: { clock: Clock; leaseMs: number }): LeaseWatch {
  const seen = new Map<string, { renewedAt: string; sinceMs: number }>()
  const isOver = ({ sinceMs }: { sinceMs: number }) => clock.elapsedMs() - sinceMs >= leaseMs

  const note = ({ id, renewed_at: renewedAt }: SeenLease) => {
    const known = seen.get(id)
    if (known?.renewedAt === renewedAt) return known
    const first = { renewedAt, sinceMs: clock.elapsedMs() }
    seen.set(id, first)
    return first
  }

  return {
    note,
    noteAll(leases) {
      for (const lease of leases) note(lease)
      const existing = new Set(leases.map(({ id }) => id))
      for (const id of seen.keys()) if (!existing.has(id)) seen.delete(id)
    },
    hasEnded: (lease) => isOver(note(lease)),
    listEnded: () =>
      [...seen]
        .filter(([, each]) => isOver(each))
        .map(([id, { renewedAt }]) => ({ id, renewed_at: renewedAt })),
  }
}
