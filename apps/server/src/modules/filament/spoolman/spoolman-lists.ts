import { AppError } from '../../../platform/errors/app-error.ts'

/** A part of a text, whatever its case, as the database looks for it. */
export const likePattern = (text: string): string =>
  `%${text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`

/**
 * Reads `name:asc,id:desc` by the columns that a list has. Throws INVALID_INPUT for a field that it is not sorted by.
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
