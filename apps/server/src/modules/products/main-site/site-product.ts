import { isDeepStrictEqual } from 'node:util'
import type { ProductPayload } from '../product-content.ts'

/** A shop that tells less than these of a product leaves open whether it has what was sent. */
const TELLING = ['name', 'price', 'stock'] as const satisfies (keyof ProductPayload)[]

/** Shops that keep decimals as text tell them so. */
const isSame = (told: unknown, sent: unknown): boolean =>
  typeof sent === 'number' && typeof told === 'string'
    ? told.trim() !== '' && Number(told) === sent
    : isDeepStrictEqual(told, sent)

/** Whether the site has what was to be brought to it: all that it tells of the product is what was sent. */
export function saysTheSame(told: Readonly<Record<string, unknown>>, sent: ProductPayload): boolean {
  const isTelling = TELLING.every((field) => told[field] !== undefined)
  return (
    isTelling &&
    Object.entries(sent).every(([field, value]) => told[field] === undefined || isSame(told[field], value))
  )
}
