import { isDeepStrictEqual } from 'node:util'
import type { ProductPayload } from '../catalogue/product-content.ts'

/** The minimum that identifies a product; a shop that reports less leaves it open. */
const PROVING_FIELDS = ['name', 'price', 'stock'] as const satisfies (keyof ProductPayload)[]

/** Some shops return decimals as text. */
const isSame = (reported: unknown, sent: unknown): boolean =>
  typeof sent === 'number' && typeof reported === 'string'
    ? reported.trim() !== '' && Number(reported) === sent
    : isDeepStrictEqual(reported, sent)

/**
 * Whether the site has what should be sent: every field it reports equals the payload. `mayLeaveOut`: fields may be
 * missing, because the site can only have them from this very payload.
 */
export function saysTheSame(
  reported: Readonly<Record<string, unknown>>,
  sent: ProductPayload,
  { mayLeaveOut }: { mayLeaveOut: boolean },
): boolean {
  const isComplete = (mayLeaveOut ? PROVING_FIELDS : Object.keys(sent)).every(
    (field) => reported[field] !== undefined,
  )
  return (
    isComplete &&
    Object.entries(sent).every(
      ([field, value]) => reported[field] === undefined || isSame(reported[field], value),
    )
  )
}
