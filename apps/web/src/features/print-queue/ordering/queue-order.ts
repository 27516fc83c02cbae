/** The fields of a job that determine its position. */
interface Queued {
  id: string
  priority: number
}

/** The new position of a job: directly before another job, or null for the end of the queue. */
export interface Target {
  beforeId: string | null
}

/**
 * Returns the queue with one job moved. The job keeps its priority if that fits between the priorities of its
 * new neighbors. Otherwise it gets the nearest fitting priority. The server applies the same rule.
 */
export function moveJob<Job extends Queued>(jobs: readonly Job[], id: string, { beforeId }: Target): Job[] {
  const moved = jobs.find((job) => job.id === id)
  if (!moved || beforeId === id) return [...jobs]
  const others = jobs.filter((job) => job.id !== id)
  const found = others.findIndex((job) => job.id === beforeId)
  const index = found === -1 ? others.length : found
  const min = others[index - 1]?.priority ?? 0
  const max = others[index]?.priority ?? Number.MAX_SAFE_INTEGER
  const priority = Math.min(Math.max(moved.priority, min), max)
  return [...others.slice(0, index), { ...moved, priority }, ...others.slice(index)]
}

/**
 * Returns the target one position up or down among the shown rows; null at either end. With `hasMore`, the
 * rows below the last one are not loaded, so the last row cannot move down.
 */
export function stepTarget(
  rows: readonly Queued[],
  id: string,
  step: 'up' | 'down',
  hasMore: boolean,
): Target | null {
  const index = rows.findIndex((job) => job.id === id)
  if (index === -1) return null
  if (step === 'up') {
    const previous = rows[index - 1]
    return previous ? { beforeId: previous.id } : null
  }
  if (index >= rows.length - 1) return null
  const afterNext = rows[index + 2]
  if (!afterNext && hasMore) return null
  return { beforeId: afterNext?.id ?? null }
}

/** Returns the current position of a job as a target, so that it can be restored. */
export function targetOf(jobs: readonly Queued[], id: string): Target {
  const index = jobs.findIndex((job) => job.id === id)
  return { beforeId: jobs[index + 1]?.id ?? null }
}
