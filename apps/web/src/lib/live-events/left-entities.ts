import type { Query } from '@tanstack/react-query'

/** The time, in ms, after which a page that was left is certainly gone. */
const LONGEST_STAY_MS = 60_000

/** Maps the id of an entity whose page was left for its deletion to the time of leaving, in ms since 1970. */
const leftAt = new Map<string, number>()

/**
 * Notes that the page of an entity was left because the entity will be deleted. The page may stay mounted for a
 * moment, for example while the list loads.
 */
export function noteLeft(id: string): void {
  leftAt.set(id, Date.now())
}

/**
 * Returns false for a query of an entity whose page was just left. Loading it again would fail, because the entity is
 * deleted. An entity that was loaded after that is refreshed as usual, because it has been restored.
 */
export function mayRefetch({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>): boolean {
  return !queryKey.some((part) => {
    const time = typeof part === 'string' ? leftAt.get(part) : undefined
    return time !== undefined && state.dataUpdatedAt <= time && Date.now() - time < LONGEST_STAY_MS
  })
}
