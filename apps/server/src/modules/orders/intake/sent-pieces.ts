import type { KnownOrder } from './order-intake.queries.ts'

/** Pieces of a SKU that the shop counts as sent: those that it was told of, and those that its own staff sent. */
export interface SentPieces {
  sku: string
  quantity: number
}

/** The field of `source_told` with the pieces that the shop counts as sent. */
export const SENT_PIECES = 'sent_pieces'

/** Returns the entries of a list that name a SKU and a number of pieces. */
export function readSentPieces(value: unknown): SentPieces[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: { sku?: unknown; quantity?: unknown } | null) => {
    const { sku, quantity } = entry ?? {}
    return typeof sku === 'string' && Number.isSafeInteger(quantity) && Number(quantity) > 0
      ? [{ sku: sku.trim(), quantity: Number(quantity) }]
      : []
  })
}

/** Returns the pieces that the shop counted as sent when it sent the order last. */
export const sentPiecesOf = ({ source_told: told }: Pick<KnownOrder, 'source_told'>): SentPieces[] =>
  readSentPieces(told?.[SENT_PIECES])
