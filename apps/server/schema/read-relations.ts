import type { Queryable } from '../src/platform/database/database.ts'
import { readViewColumns } from './view-columns.ts'

export interface Column {
  /** `table.column`. */
  path: string
  number: number
  name: string
  /** The name in PostgreSQL: `int8`, or `_text` for an array of texts. */
  type: string
  isNullable: boolean
  /** Whether the database fills the column if an insert leaves it out. */
  hasDefault: boolean
  /** Whether only the database writes the column. */
  isGenerated: boolean
  /** The values that a check of the table allows; null without such a check. */
  choices: readonly string[] | null
  /** For a view: the path of the table column that it shows unchanged. Otherwise its own path. */
  source: string
}

export interface Relation {
  name: string
  isView: boolean
  columns: readonly Column[]
}

interface ColumnRow {
  relation: number
  table: string
  is_view: boolean
  number: number
  name: string
  type: string
  is_not_null: boolean
  has_default: boolean
  is_generated: boolean
  rule: string | null
}

/** The tables and views of the migrated schema, sorted by name. */
export async function readRelations(sql: Queryable): Promise<Relation[]> {
  const rows = await sql<ColumnRow[]>`
    select c.oid::int as relation, c.relname as table, c.relkind = 'v' as is_view, a.attnum as number,
           a.attname as name, t.typname as type, a.attnotnull as is_not_null,
           a.atthasdef and a.attgenerated = '' as has_default,
           a.attgenerated <> '' or a.attidentity = 'a' as is_generated, r.ev_action::text as rule
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'v')
      -- Not the views of extensions.
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.oid, a.attnum`
  const choices = await readChoices(sql)
  const byRelation = Map.groupBy(rows, ({ relation }) => relation)
  const described = new Map<number, Column[]>()
  // Resolved on demand, because a replaced view may read tables that are newer than itself.
  const columnsOf = (relation: number): Column[] => {
    const found = described.get(relation)
    if (found) return found
    const columns = describe(byRelation.get(relation) ?? [], choices, (oid, number) =>
      columnsOf(oid).find((column) => column.number === number),
    )
    described.set(relation, columns)
    return columns
  }
  return [...byRelation]
    .map(([oid, [first]]) => ({ name: first!.table, isView: first!.is_view, columns: columnsOf(oid) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function describe(
  rows: readonly ColumnRow[],
  choices: ReadonlyMap<string, readonly string[]>,
  find: (relation: number, number: number) => Column | undefined,
): Column[] {
  const rule = rows[0]?.rule ?? null
  const shown = rule === null ? [] : readViewColumns(rule, (...key) => find(...key)?.isNullable === false)
  return rows.map((row, index) => {
    const { isNeverNull, source } = shown[index] ?? { isNeverNull: row.is_not_null, source: null }
    const passedOn = source ? find(source.relation, source.column) : undefined
    const path = `${row.table}.${row.name}`
    return {
      path,
      number: row.number,
      name: row.name,
      type: row.type,
      isNullable: !isNeverNull,
      hasDefault: row.has_default,
      isGenerated: row.is_generated,
      choices: passedOn?.choices ?? choices.get(path) ?? null,
      source: passedOn?.source ?? path,
    }
  })
}

const CLOSED_SET = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.+)\]\)\)\)$/

/** The closed sets of values that checks allow, by `table.column`. */
async function readChoices(sql: Queryable): Promise<Map<string, string[]>> {
  const rows = await sql<{ table: string; definition: string }[]>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'c' and connamespace = current_schema()::regnamespace`
  return new Map(
    rows.flatMap(({ table, definition }) => {
      const [, column, values] = CLOSED_SET.exec(definition) ?? []
      if (!column || !values) return []
      return [
        [`${table}.${column}`, [...values.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value]) => value!)],
      ]
    }),
  )
}
