import { isDeepStrictEqual } from 'node:util'
import type { ProductPayload } from '../catalogue/product-content.ts'

/** What tells at least whose product it is; a shop that tells less leaves it open. */
const TELLING = ['name', 'price', 'stock'] as const satisfies (keyof ProductPayload)[]

/** Shops that keep decimals as text tell them so. */
const isSame = (told: unknown, sent: unknown): boolean =>
  typeof sent === 'number' && typeof told === 'string'
    ? told.trim() !== '' && Number(told) === sent
    : isDeepStrictEqual(told, sent)

/**
 * Whether the site has what was to be brought to it: all that it tells of the product is what was sent. `mayLeaveOut`:
 * it need not tell everything, since it can only have it of this very payload.
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
