import type { SortColumn } from '@pegasus/contracts/media/hosted-listing'
import * as z from 'zod/mini'
import { AppError } from '../../../platform/errors/app-error.ts'

/** The position after the last entry of a page, with the order of the list. */
export interface PageCursor {
  column: SortColumn
  isDescending: boolean
  name: string
  /** The last entry's value in the sort column. Null if the list is sorted by name. */
  at: string | null
}

const MOMENT = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/

const stored = z.union([
  z.tuple([z.literal('name'), z.boolean(), z.string().check(z.maxLength(1000)), z.null()]),
  z.tuple([
    z.enum(['created_at', 'updated_at']),
    z.boolean(),
    z.string().check(z.maxLength(1000)),
    z.string().check(z.regex(MOMENT)),
  ]),
])

export const writeCursor = ({ column, isDescending, name, at }: PageCursor): string =>
  Buffer.from(JSON.stringify([column, isDescending, name, at])).toString('base64url')

/**
 * Reads a cursor. Throws INVALID_INPUT if it is invalid. A forged cursor is harmless: it can only point to a
 * position that the caller may read anyway.
 */
export function readCursor(text: string): PageCursor {
  try {
    const [column, isDescending, name, at] = z.parse(
      stored,
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    )
    return { column, isDescending, name, at }
  } catch (cause) {
    throw new AppError('INVALID_INPUT', { text: 'cursor does not come from an earlier page', cause })
  }
}
