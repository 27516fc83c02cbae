import { AppError } from '../../../platform/errors/app-error.ts'
import { type Column, readColumn, shown, typeOf } from './columns.ts'
import { malformed, splitList, unquote } from './lists.ts'

/**
 * Adds a value to the parameters of the statement and returns its placeholder. The text of the statement never contains
 * values.
 */
export type Bind = (value: string) => string

const MAX_CONDITIONS = 50
const MAX_VALUES = 100
const MAX_DEPTH = 8

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['eq', '='],
  ['neq', '<>'],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
  ['isdistinct', 'is distinct from'],
])
const PATTERN_SIGNS: ReadonlyMap<string, string> = new Map([
  ['like', 'like'],
  ['ilike', 'ilike'],
])
const STATES: ReadonlyMap<string, string> = new Map([
  ['null', 'is null'],
  ['not_null', 'is not null'],
  ['true', 'is true'],
  ['false', 'is false'],
  ['unknown', 'is unknown'],
])

/** Matches an operation such as `eq.x` or `not.in.(a,b)`. Its value may have several lines. */
const OPERATION = /^(not\.)?([a-z]+)\.(.*)$/s
const LIST = /^\((.*)\)$/s
const GROUP = /^(not\.)?(and|or)\((.*)\)$/s
const COMPARED = /^([^.]+)\.(.*)$/s

const negatedIf = (isNegated: boolean, condition: string): string =>
  isNegated ? `not (${condition})` : condition

/** Returns the SQL condition for the operation on a column. Throws REST_QUERY_MALFORMED. */
function compare(column: Column, operation: string, bind: Bind): string {
  const [, not, operator = '', value = ''] = OPERATION.exec(operation) ?? []
  const typed = (text: string): string => `${bind(text)}::${typeOf(column)}`
  const sign = SIGNS.get(operator)
  const patternSign = PATTERN_SIGNS.get(operator)
  const state = operator === 'is' ? STATES.get(value.toLowerCase()) : undefined
  const list = operator === 'in' ? LIST.exec(value) : null
  const condition = (): string => {
    if (sign) return `${column} ${sign} ${typed(value)}`
    if (patternSign) return `${column} ${patternSign} ${bind(value.replaceAll('*', '%'))}`
    if (state) return `${column} ${state}`
    if (!list)
      throw malformed(
        'filter',
        operation,
        'expecting "not" or an operator (eq, neq, gt, gte, lt, lte, like, ilike, in, is) and its value',
      )
    const values = splitList(list[1] ?? '', 'filter', MAX_VALUES).map((item) => typed(unquote(item)))
    return values.length === 0 ? 'false' : `${column} in (${values.join(', ')})`
  }
  return negatedIf(not !== undefined, condition())
}

/**
 * Throws REST_NOT_EMBEDDED if a query parameter concerns another table, such as `accounts.email` or `accounts.order`.
 */
function assertNotEmbedded(name: string): void {
  const [table = ''] = name.split('.', 1)
  // In a path into JSON, such as `permissions->>a.b`, the dot does not separate a table from a column.
  if (table === name || table.includes('->') || name.startsWith('"')) return
  throw new AppError('REST_NOT_EMBEDDED', {
    text: `'${shown(table)}' is not an embedded resource in this request`,
    body: { hint: `Verify that '${shown(table)}' is included in the 'select' query parameter.` },
  })
}

/** Creates functions that translate filters to SQL. Together they limit the number of filters of a request. */
export function createConditions(bind: Bind) {
  let count = 0

  const comparison = (name: string, operation: string): string => {
    count += 1
    if (count > MAX_CONDITIONS) throw malformed('filter', operation, `more than ${MAX_CONDITIONS} filters`)
    return compare(readColumn(unquote(name)), operation, bind)
  }

  /**
   * Translates one member of a group, such as `role_name.eq.staff` in `or=(…)`. Values in a group may be quoted,
   * because commas and parentheses separate members.
   */
  const member = (text: string, depth: number): string => {
    const group = GROUP.exec(text)
    if (group) return grouped({ not: group[1], word: group[2], list: group[3] ?? '' }, depth + 1)
    const [, name, operation] = COMPARED.exec(text) ?? []
    if (name === undefined || operation === undefined)
      throw malformed('logic tree', text, 'expecting column.operator.value, and(…) or or(…)')
    return comparison(
      name,
      operation.replace(
        /^((?:not\.)?[a-z]+\.)(".*")$/s,
        (_all, operator: string, value: string) => operator + unquote(value),
      ),
    )
  }

  const grouped = (
    { not, word, list }: { not: string | undefined; word: string | undefined; list: string },
    depth: number,
  ): string => {
    if (depth > MAX_DEPTH) throw malformed('logic tree', list, `more than ${MAX_DEPTH} groups in each other`)
    const members = splitList(list, 'logic tree', MAX_CONDITIONS).map((text) => member(text, depth))
    if (members.length === 0) throw malformed('logic tree', list, 'a group of no filters')
    return negatedIf(not !== undefined, `(${members.join(` ${word} `)})`)
  }

  return {
    /** Translates a query parameter with a filter, such as `role_name=eq.staff` or `or=(…)`, to SQL. */
    read(name: string, value: string): string {
      if (!/^(not\.)?(and|or)$/.test(name)) {
        assertNotEmbedded(name)
        return comparison(name, value)
      }
      const group = GROUP.exec(name + value)
      if (!group) throw malformed('logic tree', value, 'expecting filters in parentheses')
      return grouped({ not: group[1], word: group[2], list: group[3] ?? '' }, 1)
    },
  }
}
