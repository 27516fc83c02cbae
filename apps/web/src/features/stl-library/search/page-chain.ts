/**
 * How far a list of any length is known: where each of its pages begins. A page's items may be forgotten and fetched
 * again; its beginning is a few bytes, so the list keeps its length, and memory stays flat.
 */
export interface PageChain {
  /** One for each known page, the first of which begins at null. */
  cursors: readonly (string | null)[]
  /** Items of the last page, once the end is known. */
  lastCount: number | null
}

export const FIRST_LINK: PageChain = { cursors: [null], lastCount: null }

/** The chain after the page at `index` came in with so many items and the beginning of the next. */
export function withPage(
  chain: PageChain,
  index: number,
  { count, nextCursor }: { count: number; nextCursor: string | null },
): PageChain {
  const { cursors, lastCount } = chain
  // A page that no longer is one: the list has become shorter while it was on its way.
  if (index >= cursors.length) return chain
  if (nextCursor === null) {
    const isSame = cursors.length === index + 1 && lastCount === count
    return isSame ? chain : { cursors: cursors.slice(0, index + 1), lastCount: count }
  }
  if (cursors[index + 1] === nextCursor) return chain
  // Pages beyond keep their beginnings until this one's follower comes in: nobody is thrown out of the middle.
  const isLast = index + 1 === cursors.length
  return {
    cursors: [...cursors.slice(0, index + 1), nextCursor, ...cursors.slice(index + 2)],
    lastCount: isLast ? null : lastCount,
  }
}

/** How many items the list shows a place for: known ones, and the next page's, whose places fetch it. */
export function positionsIn(
  { cursors, lastCount }: PageChain,
  { pageSize, total }: { pageSize: number; total: number | null },
): number {
  if (lastCount !== null) return (cursors.length - 1) * pageSize + lastCount
  const places = cursors.length * pageSize
  return total === null ? places : Math.min(places, total)
}
