/**
 * The known part of a list of any length, as one cursor for each page. The items of a page may be dropped and
 * fetched again. Cursors take only a few bytes, so the list keeps its length with little memory.
 */
export interface PageChain {
  /** The cursor of each known page. The first is null. */
  cursors: readonly (string | null)[]
  /** Number of items on the last page; null until the end of the list is known. */
  lastCount: number | null
}

export const FIRST_LINK: PageChain = { cursors: [null], lastCount: null }

/**
 * Returns the chain after the page at `index` has arrived, with its number of items and the cursor of the next page.
 */
export function withPage(
  chain: PageChain,
  index: number,
  { count, nextCursor }: { count: number; nextCursor: string | null },
): PageChain {
  const { cursors, lastCount } = chain
  // This page no longer exists, because the list has become shorter in the meantime.
  if (index >= cursors.length) return chain
  if (nextCursor === null) {
    const isSame = cursors.length === index + 1 && lastCount === count
    return isSame ? chain : { cursors: cursors.slice(0, index + 1), lastCount: count }
  }
  if (cursors[index + 1] === nextCursor) return chain
  // Later pages keep their cursors until the next page arrives, so that the scroll position stays.
  const isLast = index + 1 === cursors.length
  return {
    cursors: [...cursors.slice(0, index + 1), nextCursor, ...cursors.slice(index + 2)],
    lastCount: isLast ? null : lastCount,
  }
}

/**
 * Returns the number of positions to reserve: the known items and one more page, which is fetched when it becomes
 * visible.
 */
export function positionsIn(
  { cursors, lastCount }: PageChain,
  { pageSize, total }: { pageSize: number; total: number | null },
): number {
  if (lastCount !== null) return (cursors.length - 1) * pageSize + lastCount
  const places = cursors.length * pageSize
  return total === null ? places : Math.min(places, total)
}
