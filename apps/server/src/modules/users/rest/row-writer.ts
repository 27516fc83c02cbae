import { AppError } from '../../../platform/errors/app-error.ts'
import { COLUMN_NAMES, readCast, readColumn, shown } from './columns.ts'
import type { Bind } from './conditions.ts'
import { malformed, splitList, unquote } from './lists.ts'

const MAX_SELECTED = 40
const MAX_ORDERED = 10

/**
 * Matches an item of `select` in the form `alias:column::type`. The alias and the type are optional. Names may be
 * quoted.
 */
const SELECTED = /^(?:("(?:[^"\\]|\\.)*"|[^:"]+):(?!:))?([^:]+)(?:::([a-z]+))?$/s
const ORDERED = /^([^.]+)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?$/
const NULLS: Readonly<Record<string, string>> = { nullsfirst: 'nulls first', nullslast: 'nulls last' }

/** Matches the text up to the first parenthesis outside quotes, as in a call or an embedded table. */
const CALLED = /^((?:"(?:[^"\\]|\\.)*"|[^"(])*)\(/s
/** Matches the name of an aggregate at the end of a text, such as `role_name.max` or `latest:created_at.max`. */
const AGGREGATE = /(?:^|[.:])(?:count|sum|avg|min|max)$/
/** Matches the dots and the alias that can precede the name of an embedded table. */
const BEFORE_TABLE = /^(?:\.\.\.)?(?:(?:"(?:[^"\\]|\\.)*"|[^:"]*):)?/s

/**
 * Throws REST_AGGREGATE_REFUSED for an aggregate such as `count()`. Throws REST_RELATION_NOT_FOUND for an embedded
 * table.
 */
function assertPlainColumn(item: string): void {
  const head = CALLED.exec(item)?.[1]
  if (head === undefined) return
  if (AGGREGATE.test(head) && item.startsWith('()', head.length)) throw new AppError('REST_AGGREGATE_REFUSED')
  const relation = shown(unquote(head.replace(BEFORE_TABLE, '').replace(/!.*$/s, '')))
  throw new AppError('REST_RELATION_NOT_FOUND', {
    text: `Could not find a relationship between 'user_roles' and '${relation}' in the schema cache`,
    body: {
      details: `Searched for a foreign key relationship between 'user_roles' and '${relation}' in the schema 'public', but no matches were found.`,
    },
  })
}

/**
 * Translates `select` to an SQL expression for the JSON of a row. Throws REST_COLUMN_NOT_FOUND,
 * REST_RELATION_NOT_FOUND, REST_AGGREGATE_REFUSED or REST_QUERY_MALFORMED.
 */
export function readSelect(text: string, bind: Bind): string {
  const items = splitList(text === '' ? '*' : text, 'select parameter', MAX_SELECTED)
  const pairs = items.flatMap((item) => {
    if (item === '*') return COLUMN_NAMES.map((column) => `${bind(column)}, ${column}`)
    assertPlainColumn(item)
    const [, alias, name, type] = SELECTED.exec(item) ?? []
    if (name === undefined) throw malformed('select parameter', item, 'expecting alias:column::type')
    const column = readColumn(unquote(name))
    const label = bind(alias === undefined ? column : unquote(alias))
    return [`${label}, ${type === undefined ? column : `${column}::${readCast(type)}`}`]
  })
  return `json_build_object(${pairs.join(', ')})`
}

/** Translates `order` to SQL. Appends columns that make the order unambiguous. Throws the errors of `readSelect`. */
export function readOrder(text: string): string {
  const wished = splitList(text, 'order', MAX_ORDERED).map((item) => {
    const [, name, direction = 'asc', nulls] = ORDERED.exec(item) ?? []
    if (name === undefined) throw malformed('order', item, 'expecting column.asc or column.desc')
    return `${readColumn(unquote(name))} ${direction} ${nulls === undefined ? '' : NULLS[nulls]}`
  })
  return [...wished, 'created_at', 'id'].join(', ')
}
