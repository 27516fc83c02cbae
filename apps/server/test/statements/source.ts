import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseAst } from 'vitest/node'

/** A node of the syntax tree (ESTree). */
export interface Node {
  type: string
  start: number
  end: number
  // The children and properties depend on the type of the node.
  [field: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export const child = (node: Node, field: string): Node => node[field] as Node
export const maybeChild = (node: Node, field: string): Node | null => (node[field] as Node | null) ?? null
export const children = (node: Node, field: string): Node[] => (node[field] as Node[] | undefined) ?? []

/** Yields a node and all nodes below it. */
export function* walk(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    if (isNode(value)) yield* walk(value)
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) yield* walk(each)
  }
}

export interface SourceFile {
  path: string
  /** The path relative to the source folder, or the whole path for a file outside it. */
  name: string
  program: Node
  /** The SQL templates: a map from the position of each node to `name:line:column`. */
  templates: ReadonlyMap<number, string>
}

const files = new Map<string, SourceFile>()

export function readSource(path: string, name = path): SourceFile {
  const known = files.get(path)
  if (known) return known
  const text = readFileSync(path, 'utf8')
  const program = parseAst(text, { lang: 'ts' }, path) as unknown as Node
  const templates = [...walk(program)]
    .filter(isSqlTemplate)
    .map(({ start }) => [start, `${name}:${placeOf(text, start)}`] as const)
  const file: SourceFile = { path, name, program, templates: new Map(templates) }
  files.set(path, file)
  return file
}

/** Returns whether a node is an SQL template. Every tagged template is treated as SQL, except `String.raw`. */
const isSqlTemplate = (node: Node): boolean =>
  node.type === 'TaggedTemplateExpression' && maybeChild(child(node, 'tag'), 'property')?.name !== 'raw'

function placeOf(text: string, start: number): string {
  const lines = text.slice(0, start).split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}

/** Returns the file that an import names, or null for a package. */
export const resolveSource = (from: SourceFile, specifier: string): SourceFile | null =>
  specifier.startsWith('.')
    ? readSource(join(dirname(from.path), specifier), posix.join(posix.dirname(from.name), specifier))
    : null
