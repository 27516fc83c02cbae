import { AppError } from '../../../platform/errors/app-error.ts'

/** Returns a LIKE pattern for a part of a text, in upper or lower case. */
export const likePattern = (text: string): string =>
  `%${text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`

/**
 * Parses a sort order such as `name:asc,id:desc` with the columns of a list. Throws INVALID_INPUT for a field that the
 * list cannot be sorted by.
 */
export function readSort(
  text: string | undefined,
  columns: Readonly<Record<string, string>>,
): { column: string; isFalling: boolean }[] {
  if (!text) return []
  return text.split(',').map((item) => {
    const [field = '', direction = 'asc'] = item.split(':')
    const column = Object.hasOwn(columns, field) ? columns[field] : undefined
    if (column === undefined || !['asc', 'desc'].includes(direction.toLowerCase())) {
      const say = `This list cannot be sorted by ${item}`
      throw new AppError('INVALID_INPUT', { say, errors: [{ path: 'sort', message: say }] })
    }
    return { column, isFalling: direction.toLowerCase() === 'desc' }
  })
}
