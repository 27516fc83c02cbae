import { readBulkTiers } from '@pegasus/contracts/products/product-rules'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** A row of the bulk tier table, with its typed values. */
export interface TierRow {
  quantity: string
  price: string
}

const textOf = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : ''

/** Parses the rows in a JSON string; null if it is not a list. */
export function rowsOf(json: string): TierRow[] | null {
  if (json.trim() === '') return []
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return null
  }
  if (parsed === null) return []
  if (!Array.isArray(parsed)) return null
  return parsed.map((tier: unknown) => {
    const { quantity, price } = (typeof tier === 'object' && tier !== null ? tier : {}) as Record<
      string,
      unknown
    >
    return { quantity: textOf(quantity), price: textOf(price) }
  })
}

/** Converts a number as the API writes it. Other text stays text, so that the check can name the invalid tier. */
const valueOf = (text: string): number | string => {
  const plain = text.trim()
  return /^-?\d*\.?\d+$/.test(plain) ? Number(plain) : text
}

/** Returns the rows as JSON; empty without rows. */
export const jsonOf = (rows: readonly TierRow[]): string =>
  rows.length === 0
    ? ''
    : JSON.stringify(
        rows.map(({ quantity, price }) => ({ quantity: valueOf(quantity), price: valueOf(price) })),
      )

/** Returns the error that publishing would report for these tiers; null if there is none. */
export function tiersProblem(json: string): string | null {
  const read = readBulkTiers(json)
  return read.ok ? null : serverText(read.message)
}
