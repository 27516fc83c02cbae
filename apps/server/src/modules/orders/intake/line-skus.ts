import type { ReceiveOrderBody } from '@pegasus/contracts/orders/order-body'
import type { RefundDays } from './refund-days.ts'
import type { KnownOrder, StoredLine } from './order-intake.queries.ts'
import type { NamedPieces } from './sent-pieces.ts'

/** A line of a shop's order whose SKU may change in the shop. */
export interface LineSku {
  /** The shop's id of the line. */
  lineId: string
  sku: string
  name: string
  /**
   * Whether the line has no SKU in the shop. Its SKU is then made from the product or, once the product is deleted,
   * from the name.
   */
  isDerived: boolean
}

/** The field of `source_told` with the stored SKU of each line, by the shop's id of the line. */
const LINE_SKUS = 'line_skus'

/** Parses the lines with changing SKUs of an order that a shop sends. */
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

/** Parses the shop's ids of the lines of an order. A line without an id of its own has null. */
export function readLineIds(value: unknown): (string | null)[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  return entries.map((id, index) =>
    typeof id === 'string' && id !== '' && entries.indexOf(id) === index ? id : null,
  )
}

/** The field of `source_told` with the shop's ids of the items in the order that it sent last. */
export const LINE_IDS = 'line_ids'

/** Returns the facts about lines that `source_told` stores: the SKU for each line id, and the ids of the items. */
export const lineFactsOf = (
  lineSkus: Readonly<Record<string, string>>,
  lineIds: readonly (string | null)[],
): Readonly<Record<string, unknown>> => ({
  ...(Object.keys(lineSkus).length > 0 && { [LINE_SKUS]: lineSkus }),
  ...(lineIds.length > 0 && { [LINE_IDS]: [...lineIds] }),
})

/** Facts that a shop sends about an order in addition to the order's fields. Other senders do not send them. */
export interface ShopFacts extends RefundDays {
  changedAt: Date | null
  /** The SKUs of lines whose pieces were all refunded. */
  refundedSkus: readonly string[]
  sentPieces: readonly NamedPieces[]
  lines: readonly LineSku[]
  /** The shop's ids of the items of the order, in the same sequence. */
  lineIds: readonly (string | null)[]
  /** Whether the order has no status, because the server does not know the shop's status. */
  isStatusUnknown: boolean
  /** Whether the shop has refunded the whole total. */
  isMoneyReturned: boolean
}

/** Converts facts to the format in which shops send them. */
export const sentFactsOf = ({
  changedAt,
  refundedSkus,
  sentPieces,
  lines,
  lineIds,
  isStatusUnknown,
  isMoneyReturned,
  keptAfter,
  discountAfter,
}: ShopFacts) => ({
  changed_at: changedAt,
  refunded_skus: [...refundedSkus],
  sent_pieces: [...sentPieces],
  is_status_unknown: isStatusUnknown,
  is_money_returned: isMoneyReturned,
  kept_after: [...keptAfter],
  discount_after: [...discountAfter],
  line_ids: [...lineIds],
  line_skus: lines.map(({ lineId, isDerived, ...line }) => ({
    ...line,
    line_id: lineId,
    is_derived: isDerived,
  })),
})

/**
 * Returns the stored SKU of each line, by the shop's id of the line. Returns null for an order that an earlier version
 * saved without them.
 */
export function storedSkusOf({
  source_told: sourceFields,
}: Pick<KnownOrder, 'source_told'>): Record<string, string> | null {
  const stored = sourceFields?.[LINE_SKUS]
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, string>) : null
}

/** The parts of a shop's order that contain SKUs. */
interface Order {
  body: ReceiveOrderBody
  refundedSkus: readonly string[]
  sentPieces: readonly NamedPieces[]
}

/**
 * Replaces derived SKUs by the SKUs under which the lines are stored. Otherwise, the lines would change when the shop
 * deletes the product. A line is matched by the shop's id of the line or, in an order that an earlier version saved, by
 * its name. Returns the order with these SKUs, and the SKU of each line by its id.
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
  /**
   * Lines that have the same SKU in the shop but different stored SKUs cannot be told apart. They keep the shop's SKU.
   */
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
