import type { ReceiveOrderBody } from '@pegasus/contracts/orders/order-body'
import type { KeptAfter } from './kept-after.ts'
import type { KnownOrder, StoredLine } from './order-intake.queries.ts'
import type { NamedPieces } from './sent-pieces.ts'

/** A line of a shop's order whose SKU can change there. */
export interface LineSku {
  /** The shop's id of the line. */
  lineId: string
  sku: string
  name: string
  /**
   * Whether the shop has no SKU of its own, so that the SKU is made from the product, or from its name once it is
   * deleted.
   */
  isDerived: boolean
}

/** The field of `source_told` with the stored SKU of each line, by the shop's id of the line. */
const LINE_SKUS = 'line_skus'

/** Reads the lines of an order that a shop sends. */
export function readLineSkus(value: unknown): LineSku[] {
  const entries: Readonly<Record<string, unknown>>[] = Array.isArray(value) ? value : []
  return entries.flatMap(({ line_id: lineId, sku, name, is_derived: isDerived }) =>
    typeof lineId === 'string' && lineId !== '' && typeof sku === 'string' && sku.trim() !== ''
      ? [
          {
            lineId,
            sku: sku.trim(),
            name: typeof name === 'string' ? name.trim() : '',
            isDerived: isDerived === true,
          },
        ]
      : [],
  )
}

/** Reads the shop's ids of the lines of an order. A line without an id of its own has null. */
export function readLineIds(value: unknown): (string | null)[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  return entries.map((id, index) =>
    typeof id === 'string' && id !== '' && entries.indexOf(id) === index ? id : null,
  )
}

/** The field of `source_told` with the shop's ids of the items that it sent last. */
export const LINE_IDS = 'line_ids'

/** Returns what `source_told` keeps about lines: the SKU of each id, and the ids of the items. */
export const lineFactsOf = (
  lineSkus: Readonly<Record<string, string>>,
  lineIds: readonly (string | null)[],
): Readonly<Record<string, unknown>> => ({
  ...(Object.keys(lineSkus).length > 0 && { [LINE_SKUS]: lineSkus }),
  ...(lineIds.length > 0 && { [LINE_IDS]: [...lineIds] }),
})

/** Facts about an order that only a shop sends. */
export interface ShopFacts {
  changedAt: Date | null
  /** The SKUs of lines whose pieces were all refunded. */
  refundedSkus: readonly string[]
  sentPieces: readonly NamedPieces[]
  lines: readonly LineSku[]
  /** The shop's ids of the items of the order, in the same sequence. */
  lineIds: readonly (string | null)[]
  /** Whether the order has no status because the shop's own is unknown here. */
  isStatusUnknown: boolean
  /** Whether the shop has refunded the whole total. */
  isMoneyReturned: boolean
  /** The kept money after each refund. Empty if the shop does not say when it refunded. */
  keptAfter: readonly KeptAfter[]
}

/** Returns facts in the format that shops send. */
export const sentFactsOf = ({
  changedAt,
  refundedSkus,
  sentPieces,
  lines,
  lineIds,
  isStatusUnknown,
  isMoneyReturned,
  keptAfter,
}: ShopFacts) => ({
  changed_at: changedAt,
  refunded_skus: [...refundedSkus],
  sent_pieces: [...sentPieces],
  is_status_unknown: isStatusUnknown,
  is_money_returned: isMoneyReturned,
  kept_after: [...keptAfter],
  line_ids: [...lineIds],
  line_skus: lines.map(({ lineId, isDerived, ...line }) => ({
    ...line,
    line_id: lineId,
    is_derived: isDerived,
  })),
})

/** Returns the stored SKU of each line, by the shop's id of the line. Null if an earlier version saved the order. */
export function storedSkusOf({
  source_told: sourceFields,
}: Pick<KnownOrder, 'source_told'>): Record<string, string> | null {
  const stored = sourceFields?.[LINE_SKUS]
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, string>) : null
}

/** An order of a shop with its SKUs. */
interface Order {
  body: ReceiveOrderBody
  refundedSkus: readonly string[]
  sentPieces: readonly NamedPieces[]
}

/**
 * Replaces derived SKUs by the SKUs under which the lines are stored, so that an order stays the same if its product is
 * deleted in the shop. A line is matched by the shop's id of it. In an order that an earlier version saved, it is
 * matched by its name. Returns the order, and the SKU of each line by its id.
 */
export function withStoredSkus<T extends Order>(
  order: T,
  lines: readonly LineSku[],
  known: (Pick<KnownOrder, 'source_told'> & { lines?: readonly Pick<StoredLine, 'sku' | 'name'>[] }) | null,
): { order: T; lineSkus: Record<string, string> } {
  const stored = known && storedSkusOf(known)
  const current = new Set(lines.map(({ sku }) => sku.toUpperCase()))
  const unmatched = stored
    ? []
    : (known?.lines ?? []).filter(({ sku }) => sku !== '' && !current.has(sku.toUpperCase()))
  const targetOf = ({ lineId, sku, name, isDerived }: LineSku): string => {
    if (!isDerived) return sku
    return stored?.[lineId] ?? unmatched.find((line) => line.name === name)?.sku ?? sku
  }
  const targets = new Map<string, Set<string>>()
  for (const line of lines) {
    const key = line.sku.toUpperCase()
    targets.set(key, (targets.get(key) ?? new Set()).add(targetOf(line)))
  }
  /** Lines that share a SKU now, but did not before, cannot be told apart. They keep the SKU of the shop. */
  const skuOf = (sku: string): string => {
    const [target, ...others] = targets.get(sku.trim().toUpperCase()) ?? []
    return others.length > 0 ? sku : (target ?? sku)
  }
  const { items } = order.body
  return {
    order: {
      ...order,
      body: {
        ...order.body,
        ...(items && { items: items.map((item) => ({ ...item, sku: skuOf(item.sku) })) }),
      },
      refundedSkus: order.refundedSkus.map(skuOf),
      sentPieces: order.sentPieces.map((each) => ({ ...each, sku: skuOf(each.sku) })),
    },
    lineSkus: { ...stored, ...Object.fromEntries(lines.map((line) => [line.lineId, skuOf(line.sku)])) },
  }
}
