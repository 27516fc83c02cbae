/** What decides where a job stands. */
interface Queued {
  id: string
  priority: number
}

/** Where a job is put: right before that one, or at the end of the queue. */
export interface Target {
  beforeId: string | null
}

/**
 * The queue with a job at another place. Its priority stays where it fits between its new neighbours, and becomes the
 * nearest that does where not, as the server has it.
 */
export function moveJob<Job extends Queued>(jobs: readonly Job[], id: string, { beforeId }: Target): Job[] {
  const moved = jobs.find((job) => job.id === id)
  if (!moved || beforeId === id) return [...jobs]
  const others = jobs.filter((job) => job.id !== id)
  const found = others.findIndex((job) => job.id === beforeId)
  const index = found === -1 ? others.length : found
  const least = others[index - 1]?.priority ?? 0
  const most = others[index]?.priority ?? Number.MAX_SAFE_INTEGER
  const priority = Math.min(Math.max(moved.priority, least), most)
  return [...others.slice(0, index), { ...moved, priority }, ...others.slice(index)]
}

/** One place up or down among the rows that are shown; null where there is none. `hasMore`: they go on below. */
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

/** Where a job stands now, to be put back there. */
export function positionOf(jobs: readonly Queued[], id: string): Target {
  const index = jobs.findIndex((job) => job.id === id)
  return { beforeId: jobs[index + 1]?.id ?? null }
}
