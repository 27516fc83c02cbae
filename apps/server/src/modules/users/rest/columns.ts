import { AppError } from '../../../platform/errors/app-error.ts'

/** The columns that callers can read, with their database types. Statements contain only these names. */
const COLUMNS = {
  id: 'uuid',
  user_id: 'uuid',
  role_name: 'text',
  permissions: 'jsonb',
  is_active: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

export type Column = keyof typeof COLUMNS

export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[]

export const typeOf = (column: Column): string => COLUMNS[column]

/** The types to which a caller may cast a column. */
const CASTS: ReadonlySet<string> = new Set([
  'text',
  'varchar',
  'uuid',
  'bool',
  'boolean',
  'json',
  'jsonb',
  'int',
  'integer',
  'bigint',
  'numeric',
  'date',
  'timestamp',
  'timestamptz',
])

const SHOWN_LENGTH = 60

/** Shortens a text from a request, for use in an error message. */
export const shown = (text: string, length = SHOWN_LENGTH): string => [...text].slice(0, length).join('')

/** Returns the column with this name. Throws REST_COLUMN_NOT_FOUND. */
export function readColumn(name: string): Column {
  const column = COLUMN_NAMES.find((known) => known === name)
  if (!column)
    throw new AppError('REST_COLUMN_NOT_FOUND', { text: `column user_roles.${shown(name)} does not exist` })
  return column
}

/** Returns the type of a cast. Throws REST_VALUE_INVALID. */
export function readCast(name: string): string {
  if (!CASTS.has(name))
    throw new AppError('REST_VALUE_INVALID', {
      text: `type "${shown(name)}" does not exist`,
      body: { code: '42704' },
    })
  return name
}
