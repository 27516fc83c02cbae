/** The order in which the rows of a list are shown. */
export interface ListOrder {
  /** Identifies the list: its filters and its sort order. */
  listKey: string
  /** The group of each row by its id, in the order of the rows. */
  groups: ReadonlyMap<string, string>
}

/** Returns whether `sorted` has the rows of `shown` in the same groups, and new rows only at its end. */
function isOnlyLonger(shown: ListOrder, sorted: ListOrder): boolean {
  const { groups } = sorted
  const ids = [...groups.keys()].slice(0, shown.groups.size)
  return (
    ids.every((id) => shown.groups.has(id)) &&
    [...shown.groups].every(([id, group]) => groups.get(id) === group)
  )
}

/**
 * Returns the order to show next. `sorted` has the current rows in the order of the server. Returns `sorted` if a row
 * has appeared, left or changed its group. If `isHeld`, the rows stay in place instead, and new rows follow them.
 * Returns `shown` itself if the order stays the same.
 */
export function keptOrder(shown: ListOrder, sorted: ListOrder, isHeld: boolean): ListOrder {
  if (shown.listKey !== sorted.listKey) return sorted
  const isUnchanged = isOnlyLonger(shown, sorted)
  if (!isUnchanged && !isHeld) return sorted
  const groups = new Map([...shown.groups].filter(([id]) => sorted.groups.has(id)))
  for (const [id, group] of sorted.groups) if (!groups.has(id)) groups.set(id, group)
  const isSame = groups.size === shown.groups.size && [...groups.keys()].every((id) => shown.groups.has(id))
  return isSame ? shown : { listKey: sorted.listKey, groups }
}
