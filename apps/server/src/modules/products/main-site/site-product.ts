import { isDeepStrictEqual } from 'node:util'
import type { ProductPayload } from '../catalog/product-content.ts'

/** Fields that a response must contain to prove that the site has the product. */
const PROVING_FIELDS = ['name', 'price', 'stock'] as const satisfies (keyof ProductPayload)[]

/** Compares a reported value with a sent one. Some shops return decimals as text. */
const isSame = (reported: unknown, sent: unknown): boolean =>
  typeof sent === 'number' && typeof reported === 'string'
    ? reported.trim() !== '' && Number(reported) === sent
    : isDeepStrictEqual(reported, sent)

/**
 * Returns whether the site has the content of the payload: every field that it reports equals the payload's. By
 * default, all fields are required. With `mayLeaveOut`, only the proving fields are required, because the site can
 * have received the product only with this payload.
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
