/**
 * The known part of a list of any length: the start of each of its pages. The items of a page may be dropped and
 * fetched again; its start is a few bytes, so the list keeps its length in flat memory.
 */
export interface PageChain {
  /** One for each known page; the first starts at null. */
  cursors: readonly (string | null)[]
  /** Number of items on the last page, once the end is known. */
  lastCount: number | null
}

export const FIRST_LINK: PageChain = { cursors: [null], lastCount: null }

/** The chain after the page at `index` arrived with its number of items and the start of the next page. */
export function withPage(
  chain: PageChain,
  index: number,
  { count, nextCursor }: { count: number; nextCursor: string | null },
): PageChain {
  const { cursors, lastCount } = chain
  // This page no longer exists: the list became shorter meanwhile.
  if (index >= cursors.length) return chain
  if (nextCursor === null) {
    const isSame = cursors.length === index + 1 && lastCount === count
    return isSame ? chain : { cursors: cursors.slice(0, index + 1), lastCount: count }
  }
  if (cursors[index + 1] === nextCursor) return chain
  // Later pages keep their starts until the next one arrives, so that the reader keeps their position.
  const isLast = index + 1 === cursors.length
  return {
    cursors: [...cursors.slice(0, index + 1), nextCursor, ...cursors.slice(index + 2)],
    lastCount: isLast ? null : lastCount,
  }
}

/** Number of rows to reserve: known items, and those of the next page, which is fetched once they become visible. */
export function positionsIn(
  { cursors, lastCount }: PageChain,
  { pageSize, total }: { pageSize: number; total: number | null },
): number {
  if (lastCount !== null) return (cursors.length - 1) * pageSize + lastCount
  const places = cursors.length * pageSize
  return total === null ? places : Math.min(places, total)
}
