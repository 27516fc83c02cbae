import { typedNumber } from '@/lib/forms/typed-number.ts'
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
  /** The changes of this person that are not kept. */
  dropped: readonly DroppedChange[]
}

/** A change of this person that is not kept, with the key of its line. */
export interface DroppedChange {
  key: string
  /** The removal of a line that somebody else changed or shipped, or a price that a shipment has fixed. */
  what: 'removal' | 'price'
}

/** Returns whether two typed numbers are equal, so that `2.5` equals `2.50`. Invalid texts must be the same. */
const isEqual = (a: string, b: string): boolean => a === b || typedNumber(a) === typedNumber(b)

const isSame = (a: TypedLine | undefined, b: TypedLine | undefined): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && isEqual(a.quantity, b.quantity) && isEqual(a.price, b.price))

/** Returns whether pieces of a line were shipped since `before`, so that its price is fixed now. */
const isNewlyFixed = (before: TypedLine | undefined, saved: TypedLine | undefined): boolean =>
  before !== undefined &&
  saved !== undefined &&
  before.fixedPrice === undefined &&
  saved.fixedPrice !== undefined

/**
 * Returns whether the typed values of a line are kept although somebody else saved other ones: both people changed the same
 * value, added the same SKU with other values, or this person changed a line that the other removed.
 */
const isConflict = (before?: TypedLine, typed?: TypedLine, saved?: TypedLine): boolean => {
  if (!typed) return false
  if (!before) return saved !== undefined && !isSame(typed, saved)
  if (!saved) return !isSame(before, typed)
  const values = saved.fixedPrice === undefined ? (['quantity', 'price'] as const) : (['quantity'] as const)
  return values.some(
    (name) =>
      !isEqual(before[name], typed[name]) &&
      !isEqual(before[name], saved[name]) &&
      !isEqual(typed[name], saved[name]),
  )
}

/** Returns which change of this person to a line is not kept, if there is one. */
const droppedChange = (
  before: TypedLine | undefined,
  typed: TypedLine | undefined,
  saved: TypedLine | undefined,
): DroppedChange['what'] | null => {
  if (!before || !saved) return null
  if (!typed) return isSame(before, saved) && !isNewlyFixed(before, saved) ? null : 'removal'
  const isPriceTyped = !isEqual(before.price, typed.price) && !isEqual(saved.price, typed.price)
  return isNewlyFixed(before, saved) && isPriceTyped ? 'price' : null
}

/**
 * Merges the typed lines with the lines that somebody else has saved since `base`. A line that only one person changed,
 * added or removed gets the values of that person. If both changed the same value, the typed one is kept. A removed line
 * comes back if somebody else changed it, or if pieces of it were shipped. A typed price is not kept if pieces of the line
 * were shipped. If both people added the same SKU, the line stays one line, with the typed values, unless pieces of it were
 * shipped already.
 */
export function mergeLines(
  base: readonly TypedLine[],
  mine: readonly TypedLine[],
  theirs: readonly TypedLine[],
): LineMerge {
  const byKey = (lines: readonly TypedLine[]) => new Map(lines.map((line) => [line.key, line]))
  const [ofBase, ofTheirs] = [byKey(base), byKey(theirs)]
  const added = theirs.filter(({ key, sku }) => sku !== '' && !ofBase.has(key))
  const ofMine = byKey(
    mine.map((line) => {
      if (ofBase.has(line.key)) return line
      const at = added.findIndex(({ sku, fixedPrice }) => sku === line.sku && fixedPrice === undefined)
      const [twin] = at < 0 ? [] : added.splice(at, 1)
      return twin ? { ...line, key: twin.key } : line
    }),
  )
  const changed = [...new Map([...ofBase, ...ofTheirs]).values()].filter(({ key }) => {
    const [before, saved] = [ofBase.get(key), ofTheirs.get(key)]
    return !isSame(before, saved) || isNewlyFixed(before, saved)
  })
  const isChanged = new Set(changed.map(({ key }) => key))
  const merged = theirs.flatMap((saved) => {
    const before = ofBase.get(saved.key)
    const typed = ofMine.get(saved.key)
    if (before && !typed) return isChanged.has(saved.key) || saved.fixedPrice !== undefined ? [saved] : []
    if (!typed) return [saved]
    if (!before) return [{ ...saved, quantity: typed.quantity, price: typed.price }]
    const isPriceTyped = saved.fixedPrice === undefined && !isEqual(typed.price, before.price)
    return [
      {
        ...saved,
        price: isPriceTyped ? typed.price : saved.price,
        quantity: isEqual(typed.quantity, before.quantity) ? saved.quantity : typed.quantity,
      },
    ]
  })
  // Lines that this person added, and lines that this person changed and somebody else removed.
  const kept = [...ofMine.values()].filter(
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
    dropped: changed.flatMap(({ key }) => {
      const what = droppedChange(ofBase.get(key), ofMine.get(key), ofTheirs.get(key))
      return what === null ? [] : [{ key, what }]
    }),
  }
}
