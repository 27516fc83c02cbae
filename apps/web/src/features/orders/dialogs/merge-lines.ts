import type { TypedLine } from './typed-lines.tsx'

type Values = Pick<TypedLine, 'quantity' | 'price'>

/** The result of merging typed lines with lines that somebody else has saved in the meantime. */
export interface LineMerge {
  /** The lines with the typed values, and with the saved values where this person typed nothing. */
  lines: readonly TypedLine[]
  /** The lines that somebody else has changed, with their saved values; null for a removed line. */
  changed: readonly { key: string; name: string; saved: Values | null }[]
  /** The keys of the changed lines for which this person entered other values. */
  conflicts: readonly string[]
}

const isSame = (a: Values | undefined, b: Values | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.quantity === b.quantity && a.price === b.price)

/** Returns whether both people changed the same value of a line, or one changed a line that the other removed. */
const isConflict = (before?: Values, typed?: Values, saved?: Values): boolean => {
  if (!before || !typed) return false
  if (!saved) return !isSame(before, typed)
  const values = ['quantity', 'price'] as const
  return values.some((name) => new Set([before[name], typed[name], saved[name]]).size === 3)
}

/**
 * Merges the typed lines with the lines that somebody else has saved since `base`. A line that only one person changed,
 * added or removed gets the values of that person. If both changed the same value, the typed one is kept. A removed line
 * comes back if somebody else changed it, or if pieces of it were shipped.
 */
export function mergeLines(
  base: readonly TypedLine[],
  mine: readonly TypedLine[],
  theirs: readonly TypedLine[],
): LineMerge {
  const [ofBase, ofMine, ofTheirs] = [base, mine, theirs].map(
    (lines) => new Map(lines.map((line) => [line.key, line])),
  ) as [Map<string, TypedLine>, Map<string, TypedLine>, Map<string, TypedLine>]
  const changed = [...new Map([...ofBase, ...ofTheirs]).values()].filter(
    ({ key }) => !isSame(ofBase.get(key), ofTheirs.get(key)),
  )
  const isChanged = new Set(changed.map(({ key }) => key))
  const merged = theirs.flatMap((saved) => {
    const before = ofBase.get(saved.key)
    const typed = ofMine.get(saved.key)
    if (before && !typed) return isChanged.has(saved.key) || saved.fixedPrice !== undefined ? [saved] : []
    if (!before || !typed) return [saved]
    const price = saved.fixedPrice === undefined && typed.price !== before.price ? typed.price : saved.price
    return [
      { ...saved, price, quantity: typed.quantity === before.quantity ? saved.quantity : typed.quantity },
    ]
  })
  // Lines that this person added, and lines that this person changed and somebody else removed.
  const kept = mine.filter(
    (line) => !ofTheirs.has(line.key) && !(ofBase.has(line.key) && isSame(ofBase.get(line.key), line)),
  )
  return {
    lines: [...merged, ...kept],
    changed: changed.map(({ key, name, sku }) => ({
      key,
      name: name || sku,
      saved: ofTheirs.get(key) ?? null,
    })),
    conflicts: changed
      .map(({ key }) => key)
      .filter((key) => isConflict(ofBase.get(key), ofMine.get(key), ofTheirs.get(key))),
  }
}
