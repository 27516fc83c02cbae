import {
  type MovementKind,
  type StockMovement,
  EDITED_REASON,
  LACKING_REASON,
  type MovedItem,
  OPENING_REASON,
  SCANNED_REASON,
  UNDONE_REASON,
} from '@pegasus/contracts/inventory/stock-movements'
import { formatCount } from '@/lib/format/format.ts'
import { isolateText, keepOrder } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'

const KIND_LABELS: Readonly<Record<Exclude<MovementKind, 'adjust'>, string>> = {
  receive: t('Received'),
  produce: t('Printed'),
  ship: t('Shipped'),
  return: t('Returned'),
  move: t('Moved'),
  count: t('Counted'),
  scrap: t('Scrapped'),
  reserve: t('Reserved'),
  release: t('Released'),
}

/** The names of the kinds inside a sentence, after a number: `+3 received`. */
const KIND_WORDS: typeof KIND_LABELS = {
  receive: t('received'),
  produce: t('printed'),
  ship: t('shipped'),
  return: t('returned'),
  move: t('moved'),
  count: t('counted'),
  scrap: t('scrapped'),
  reserve: t('reserved'),
  release: t('released'),
}

/** Formats a number of pieces with its sign: `+3`, `−2`, `±0` */
export const formatSigned = (pieces: number): string =>
  pieces === 0 ? '±0' : keepOrder(`${pieces < 0 ? '−' : '+'}${formatCount(Math.abs(pieces))}`)

const NO_LOCATION = t('no location')

/** Describes a movement for a toast: `Wall hook: 5 → 4`, `Wall hook: moved to Rack A3`. */
export function describeMovement({ name, movement }: MovedItem): string {
  const { kind, delta, reserved_delta: reserved, quantity_after: after } = movement
  if (kind === 'move')
    return t('{name}: moved to {to_location}', { name, to_location: movement.to_location ?? NO_LOCATION })
  if (delta !== 0) {
    const change = t('{before} → {after}', { before: formatCount(after - delta), after: formatCount(after) })
    return `${isolateText(name)}: ${change}`
  }
  if (reserved > 0)
    return t('{name}: {count, plural, one {# piece} other {# pieces}} reserved', { name, count: reserved })
  if (reserved < 0)
    return t('{name}: {count, plural, one {# piece} other {# pieces}} released', { name, count: -reserved })
  return t('{name}: counted {after}, unchanged', { name, after: formatCount(after) })
}

/**
 * Returns the title of a movement, such as `Taken by scan` or `Opening stock`. The reason is null if the
 * title already contains it.
 */
export function movementTitle(movement: StockMovement): { title: string; reason: string | null } {
  const { kind, delta, reason, undoes_id: undoesId } = movement
  if (undoesId) return { title: t('Undone'), reason: reason === UNDONE_REASON ? null : reason }
  if (reason === OPENING_REASON && delta > 0) return { title: t('Opening stock'), reason: null }
  if (kind === 'count' && reason === EDITED_REASON) return { title: t('Quantity edited'), reason: null }
  if (kind === 'release' && reason === LACKING_REASON)
    return { title: t('Released, because pieces are missing'), reason: null }
  if (kind !== 'adjust') return { title: KIND_LABELS[kind], reason }
  if (reason === SCANNED_REASON)
    return { title: delta < 0 ? t('Taken by scan') : t('Added by scan'), reason: null }
  return { title: delta < 0 ? t('Taken') : t('Added'), reason }
}

/** Returns the title of a movement as it is written after a number: `taken by scan`. */
export function movementWords({ kind, delta, reason, undoes_id: undoesId }: StockMovement): string {
  if (undoesId) return t('undone')
  if (reason === OPENING_REASON && delta > 0) return t('opening stock')
  if (kind === 'count' && reason === EDITED_REASON) return t('quantity edited')
  if (kind !== 'adjust') return KIND_WORDS[kind]
  if (reason === SCANNED_REASON) return delta < 0 ? t('taken by scan') : t('added by scan')
  return delta < 0 ? t('taken') : t('added')
}

/** Returns the text after the title in the history; null if there is nothing to add. */
export function movementDetail({
  kind,
  from_location: from,
  to_location: to,
  reserved_delta: reserved,
  delta,
  reason,
}: StockMovement): string | null {
  if (kind === 'move')
    return t('{before} → {after}', { before: from ?? NO_LOCATION, after: to ?? NO_LOCATION })
  if (reason === OPENING_REASON) return null
  const abs = formatCount(Math.abs(kind === 'count' ? delta : reserved))
  if (kind === 'count') {
    if (delta === 0) return t('unchanged')
    return delta < 0 ? t('{abs} fewer than recorded', { abs }) : t('{abs} more than recorded', { abs })
  }
  if (reserved !== 0 && delta !== 0)
    return reserved < 0 ? t('{abs} of them from reserved', { abs }) : t('{abs} of them reserved', { abs })
  return null
}

const stillHolds = (movement: StockMovement): boolean =>
  movement.undoes_id === null && movement.undone_by_id === null

/** Returns whether a movement belongs to a shipment or a return. These are undone on the page of the order. */
const isOfParcel = ({ kind, document }: StockMovement): boolean =>
  document?.kind === 'order' && (kind === 'ship' || kind === 'return')

/**
 * Adds up the pieces that are reserved for each order, by the order's id. Pieces reserved without an order have the key
 * ''.
 */
function reservedByOrder(movements: readonly StockMovement[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { document, reserved_delta: reserved } of movements)
    sums.set(document?.id ?? '', (sums.get(document?.id ?? '') ?? 0) + reserved)
  return sums
}

/**
 * Returns the ids of the movements that can be undone. Movements before a count or a move cannot be undone,
 * because the count has set the quantity, and the move the location. A reservation can be undone while its pieces are
 * still reserved. The server checks this again.
 *
 * @param newestFirst The newest movements of the item, without gaps.
 */
export function findUndoable(newestFirst: readonly StockMovement[]): ReadonlySet<string> {
  const found = new Set<string>()
  const reservedNow = reservedByOrder(newestFirst)
  let isCounted = false
  let isMoved = false
  for (const movement of newestFirst) {
    if (!stillHolds(movement)) continue
    const { id, kind, delta, reserved_delta: reserved, document } = movement
    const isSettled = kind === 'move' ? isMoved : delta === 0 ? reserved === 0 : isCounted
    const isUsed = reserved > 0 && reserved > (reservedNow.get(document?.id ?? '') ?? 0)
    if (!isSettled && !isUsed && document?.kind !== 'print_job' && !isOfParcel(movement)) found.add(id)
    if (kind === 'count') isCounted = true
    if (kind === 'move') isMoved = true
  }
  return found
}
