import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CONTRACT_TYPES, type ContractType, NEVER_NULL, WRITTEN_BY_TRIGGERS } from './contract-types.ts'
import type { Column, Relation } from './read-relations.ts'

const BIOME = fileURLToPath(new URL('../../../node_modules/@biomejs/biome/bin/biome', import.meta.url))

/** How the driver returns values of a PostgreSQL type; the helper types say what it takes for them. */
const TYPES: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  citext: 'string',
  tsvector: 'string',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  // As a number that is exact: the driver throws for one that is too large.
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'Numeric',
  timestamptz: 'Moment',
  jsonb: 'Json<unknown>',
  bytea: 'Uint8Array',
  _text: 'List<string>',
  _cidr: 'List<string>',
}

/** The TypeScript file that declares the rows of these tables and views. Throws for a type that it cannot map. */
export function renderRows(relations: readonly Relation[]): string {
  const columns = relations.flatMap((relation) => relation.columns)
  checkPaths(columns)
  const tables = relations.filter(({ isView }) => !isView)
  const views = relations.filter(({ isView }) => isView)
  const source = `// Generated from the migrated database by \`npm run generate:rows\`: x.

${renderImports(columns)}
import type { Default, Generated, Json, List, Moment, Numeric } from './column-types.ts'

/** The columns of the tables: what is read of them, and what an insert needs. */
export interface Tables {
${tables.map(renderRelation).join('\n')}
}

/** The columns of the views, which are read only. */
export interface Views {
${views.map(renderRelation).join('\n')}
}

/** The jsonb columns of the tables. */
export const JSON_COLUMNS: { readonly [Table in keyof Tables]?: readonly string[] } = {
${tables.map(renderJsonColumns).join('')}
}
`
  return format(source)
}

function checkPaths(columns: readonly Column[]): void {
  const known = new Set(columns.map(({ path }) => path))
  const gone = [...Object.keys(CONTRACT_TYPES), ...NEVER_NULL, ...WRITTEN_BY_TRIGGERS].filter(
    (path) => !known.has(path),
  )
  if (gone.length > 0)
    throw new Error(
      `apps/server/schema/contract-types.ts names columns that do not exist: ${gone.join(', ')}`,
    )
}

function renderImports(columns: readonly Column[]): string {
  const imported = columns.flatMap((column) => {
    const { type, from } = contractTypeOf(column) ?? {}
    return type !== undefined && from !== undefined ? [{ type, from }] : []
  })
  return [...Map.groupBy(imported, ({ from }) => from)]
    .map(([from, types]) => {
      const names = [...new Set(types.map(({ type }) => type))].toSorted()
      return `import type { ${names.join(', ')} } from '${from}'`
    })
    .toSorted()
    .join('\n')
}

function renderRelation({ name, columns }: Relation): string {
  return `${name}: {\n${columns.map((column) => `${column.name}: ${typeOf(column)}`).join('\n')}\n}`
}

function renderJsonColumns({ name, columns }: Relation): string {
  const names = columns.filter(({ type }) => type === 'jsonb').map((column) => `'${column.name}'`)
  return names.length === 0 ? '' : `${name}: [${names.join(', ')}],\n`
}

function typeOf(column: Column): string {
  const isNullable =
    column.isNullable && ![column.path, column.source].some((path) => NEVER_NULL.includes(path))
  const type = `${valueTypeOf(column)}${isNullable ? ' | null' : ''}`
  if (column.isGenerated || WRITTEN_BY_TRIGGERS.includes(column.path)) return `Generated<${type}>`
  return column.hasDefault ? `Default<${type}>` : type
}

function valueTypeOf(column: Column): string {
  const contract = contractTypeOf(column)?.type
  if (contract !== undefined) return column.type === 'jsonb' ? `Json<${contract}>` : contract
  if (column.choices) return column.choices.map((choice) => `'${choice}'`).join(' | ')
  const type = TYPES[column.type]
  if (type === undefined)
    throw new Error(`${column.path} is of type ${column.type}, which schema/render-rows.ts does not map.`)
  return type
}

const contractTypeOf = ({ path, source }: Column): ContractType | undefined =>
  CONTRACT_TYPES[path] ?? CONTRACT_TYPES[source]

function format(source: string): string {
  const args = [BIOME, 'format', '--stdin-file-path=rows.ts']
  return execFileSync(process.execPath, args, {
    input: source,
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  })
}
