import type { MovementKind, StockMovement } from '@pegasus/contracts/inventory'
import type { MovedItem } from '@pegasus/contracts/stock-movements'
import { formatCount, formatNumberOf } from '@/lib/format.ts'

export const KIND_WORDS: Readonly<Record<MovementKind, string>> = {
  receive: 'Received',
  produce: 'Printed',
  ship: 'Shipped',
  return: 'Returned',
  move: 'Moved',
  count: 'Counted',
  adjust: 'Adjusted',
  scrap: 'Scrapped',
  reserve: 'Reserved',
  release: 'Released',
}

/** `+3`, `−2`, `±0` */
export const signed = (pieces: number): string =>
  pieces === 0 ? '±0' : `${pieces < 0 ? '−' : '+'}${formatCount(Math.abs(pieces))}`

const nowhere = 'no place'

/** What a movement did, as a toast says it: `Wall hook: 5 → 4`, `Wall hook: moved to Rack A3`. */
export function movedWords({ name, movement }: MovedItem): string {
  const { kind, delta, reserved_delta: reserved, quantity_after: after } = movement
  if (kind === 'move') return `${name}: moved to ${movement.to_location ?? nowhere}`
  if (delta !== 0) return `${name}: ${formatCount(after - delta)} → ${formatCount(after)}`
  if (reserved !== 0)
    return `${name}: ${formatNumberOf(Math.abs(reserved), 'piece')} ${reserved > 0 ? 'reserved' : 'released'}`
  return `${name}: counted ${formatCount(after)}, as it was`
}

/** What stands behind the kind in the history. */
export function movementDetail({
  kind,
  from_location: from,
  to_location: to,
  reserved_delta: reserved,
  delta,
}: StockMovement): string | null {
  if (kind === 'move') return `${from ?? nowhere} → ${to ?? nowhere}`
  if (kind === 'count') return delta === 0 ? 'as it was' : `${signed(delta)} against the books`
  if (reserved !== 0 && delta !== 0)
    return `${formatCount(Math.abs(reserved))} of them ${reserved < 0 ? 'from reserved' : 'reserved'}`
  return null
}

const stillHolds = (movement: StockMovement): boolean =>
  movement.undoes_id === null && movement.undone_by_id === null

/**
 * The movements, of those newest first, that may be taken back without falsifying what came after: a count or a move
 * that holds settles what was before it. The server decides, and says why not.
 */
export function findUndoable(newestFirst: readonly StockMovement[]): ReadonlySet<string> {
  const found = new Set<string>()
  let isCounted = false
  let isMoved = false
  for (const movement of newestFirst) {
    if (!stillHolds(movement)) continue
    const { id, kind, delta, reserved_delta: reserved, document } = movement
    const isSettled = kind === 'move' ? isMoved : delta === 0 ? reserved === 0 : isCounted
    if (!isSettled && document?.kind !== 'print_job') found.add(id)
    if (kind === 'count') isCounted = true
    if (kind === 'move') isMoved = true
  }
  return found
}
