import { isDeepStrictEqual } from 'node:util'
import type { ProductPayload } from '../catalogue/product-content.ts'

/** The minimum that identifies a product; a shop that reports less leaves it open. */
const TELLING = ['name', 'price', 'stock'] as const satisfies (keyof ProductPayload)[]

/** Some shops return decimals as text. */
const isSame = (told: unknown, sent: unknown): boolean =>
  typeof sent === 'number' && typeof told === 'string'
    ? told.trim() !== '' && Number(told) === sent
    : isDeepStrictEqual(told, sent)

/**
 * Whether the site has what should be sent: every field it reports equals the payload. `mayLeaveOut`: fields may be
 * missing, because the site can only have them from this very payload.
 */
export function saysTheSame(
  told: Readonly<Record<string, unknown>>,
  sent: ProductPayload,
  { mayLeaveOut }: { mayLeaveOut: boolean },
): boolean {
  const isTelling = (mayLeaveOut ? TELLING : Object.keys(sent)).every((field) => told[field] !== undefined)
  return (
    isTelling &&
    Object.entries(sent).every(([field, value]) => told[field] === undefined || isSame(told[field], value))
  )
}
