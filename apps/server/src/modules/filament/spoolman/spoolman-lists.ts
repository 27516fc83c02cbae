import { AppError } from '../../../platform/errors/app-error.ts'

/** Returns a LIKE pattern that finds a text anywhere in a lower-case column. */
export const likePattern = (text: string): string =>
  `%${text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`

/** The prefix of the name of an extra field. */
export const EXTRA = 'extra.'

/**
 * Parses a sort order such as `name:asc,id:desc` with the columns of a list. `extras` contains the columns of
 * the list's extra fields, by key. Like Spoolman, the function ignores extra fields that are not defined.
 * Throws INVALID_INPUT for any other field by which the list cannot be sorted.
 */
export function readSort(
  text: string | undefined,
  columns: Readonly<Record<string, string>>,
  extras: ReadonlyMap<string, string> = new Map(),
): { column: string; isFalling: boolean }[] {
  if (!text) return []
  return text.split(',').flatMap((item) => {
    const [field = '', direction = 'asc'] = item.split(':')
    const extra = field.startsWith(EXTRA) ? extras.get(field.slice(EXTRA.length)) : undefined
    if (field.startsWith(EXTRA) && extra === undefined) return []
    const column = extra ?? (Object.hasOwn(columns, field) ? columns[field] : undefined)
    if (column === undefined || !['asc', 'desc'].includes(direction.toLowerCase())) {
      const message = `This list cannot be sorted by ${item}`
      throw new AppError('INVALID_INPUT', { text: message, errors: [{ path: 'sort', message }] })
    }
    return { column, isFalling: direction.toLowerCase() === 'desc' }
  })
}
