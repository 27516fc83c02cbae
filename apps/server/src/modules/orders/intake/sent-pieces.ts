import { MAX_ITEM_QUANTITY } from '@pegasus/contracts/inventory/items'
import type { KnownOrder } from './order-intake.queries.ts'

/** Pieces of a SKU that the shop counts as sent: those that we reported to it, and those that its own staff sent. */
export interface SentPieces {
  sku: string
  quantity: number
}

/** Pieces of a SKU in a message about an order. Null means that the message contains no number. */
export interface NamedPieces {
  sku: string
  quantity: number | null
}

/** Returns the number of pieces for each SKU, in capitals. */
export function sumBySku(pieces: readonly SentPieces[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { sku, quantity } of pieces)
    sums.set(sku.toUpperCase(), (sums.get(sku.toUpperCase()) ?? 0) + quantity)
  return sums
}

/** The field of `source_told` with the pieces that the shop counts as sent. */
export const SENT_PIECES = 'sent_pieces'

/**
 * Returns the error for an invalid number of sent pieces, with its place in the order. Returns null if all are valid.
 */
export function findSentFault(value: unknown): { path: PropertyKey[]; message: string } | null {
  const entries: ({ quantity?: unknown } | null)[] = Array.isArray(value) ? value : []
  const index = entries.findIndex((entry) => {
    const quantity = entry?.quantity ?? 0
    return !Number.isSafeInteger(quantity) || Number(quantity) < 0 || Number(quantity) > MAX_ITEM_QUANTITY
  })
  if (index < 0) return null
  const message = `sent_quantity must be a whole number from 0 to ${MAX_ITEM_QUANTITY}`
  return { path: ['items', index, 'sent_quantity'], message }
}

/**
 * Parses the sent pieces of an order. If any line has a number, lines without one count as 0. If no line has a number,
 * all are null.
 */
export function readNamedPieces(value: unknown): NamedPieces[] {
  const entries: ({ sku?: unknown; quantity?: unknown } | null)[] = Array.isArray(value) ? value : []
  const missing = entries.every((entry) => (entry?.quantity ?? null) === null) ? null : 0
  return entries.flatMap((entry) => {
    const { sku, quantity } = entry ?? {}
    return typeof sku === 'string'
      ? [{ sku: sku.trim(), quantity: (quantity as number | null) ?? missing }]
      : []
  })
}

/**
 * Returns the pieces that a shop counts as sent. A SKU without a number counts as 0 if the shop counted it before;
 * otherwise it is left out.
 */
export function countedPieces(received: readonly NamedPieces[], before: readonly SentPieces[]): SentPieces[] {
  const known = new Set(before.map(({ sku }) => sku.toUpperCase()))
  return received.flatMap(({ sku, quantity }) =>
    quantity !== null ? [{ sku, quantity }] : known.has(sku.toUpperCase()) ? [{ sku, quantity: 0 }] : [],
  )
}

/** Returns the received pieces, except that a SKU whose number would fall keeps its earlier number. */
export function withoutFalls(received: readonly NamedPieces[], before: readonly SentPieces[]): NamedPieces[] {
  const skuOf = ({ sku }: { sku: string }) => sku.toUpperCase()
  const next = Map.groupBy(countedPieces(received, before), skuOf)
  const kept = [...Map.groupBy(before, skuOf)].flatMap(([sku, entries]) => {
    const sumOf = (pieces: readonly SentPieces[]) => pieces.reduce((sum, { quantity }) => sum + quantity, 0)
    return sumOf(next.get(sku) ?? []) < sumOf(entries) ? [[sku, entries] as const] : []
  })
  const keptSkus = new Set(kept.map(([sku]) => sku))
  return [...received.filter((each) => !keptSkus.has(skuOf(each))), ...kept.flatMap(([, entries]) => entries)]
}

/**
 * Parses a list of sent pieces. Leaves out entries without a SKU or a number. Zero means that the shop has sent none.
 */
function readSentPieces(value: unknown): SentPieces[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: { sku?: unknown; quantity?: unknown } | null) => {
    const { sku, quantity } = entry ?? {}
    return typeof sku === 'string' && Number.isSafeInteger(quantity) && Number(quantity) >= 0
      ? [{ sku: sku.trim(), quantity: Number(quantity) }]
      : []
  })
}

/** Returns whether a version that reads the shop's numbers of sent pieces has saved the order. */
export const hasSentPieces = ({ source_told: sourceFields }: Pick<KnownOrder, 'source_told'>): boolean =>
  Array.isArray(sourceFields?.[SENT_PIECES])

/** Returns the pieces that the shop counted as sent when it sent the order last. */
export const sentPiecesOf = ({ source_told: sourceFields }: Pick<KnownOrder, 'source_told'>): SentPieces[] =>
  readSentPieces(sourceFields?.[SENT_PIECES])
