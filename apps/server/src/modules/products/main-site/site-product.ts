import { isDeepStrictEqual } from 'node:util'
import type { ProductPayload } from '../catalog/product-content.ts'

/** Fields that a response must contain as proof that the site has the product. */
const PROVING_FIELDS = ['name', 'price', 'stock'] as const satisfies (keyof ProductPayload)[]

/** Returns whether a reported value equals a sent one. Some shops return decimal numbers as text. */
const isSame = (reported: unknown, sent: unknown): boolean =>
  typeof sent === 'number' && typeof reported === 'string'
    ? reported.trim() !== '' && Number(reported) === sent
    : isDeepStrictEqual(reported, sent)

/**
 * Returns whether the site has the content of the payload: each field that it reports has the payload's value. The site
 * must report all fields or, with `mayLeaveOut`, at least the proving fields. Set `mayLeaveOut` only if the site can
 * have the product only from this payload.
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
