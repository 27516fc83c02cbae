/** Shopify refuses a query that may cost more points, before it runs. */
export const MAX_COST = 1000
const MUTATION_COST = 10

/** A field of a query: its arguments as they are written, and the fields that it selects. */
interface Field {
  name: string
  first: number | null
  isOfIds: boolean
  fields: Field[]
}

/** Returns the position after the bracket that closes the one at `at`. */
function endOfArguments(words: string, at: number): number {
  let depth = 0
  for (let position = at; position < words.length; position += 1) {
    if (words[position] === '(') depth += 1
    if (words[position] === ')') depth -= 1
    if (depth === 0) return position + 1
  }
  throw new Error(`The query has an open bracket: ${words}`)
}

/** Reads the fields of a query. The fields of a fragment stand where the query names it. */
function readFields(document: string): Field[] {
  const fragments = new Map<string, Field[]>()
  /** Reads the selection that begins after the brace at `at`. Returns its fields and the position after it. */
  const readSelection = (words: string, at: number): { fields: Field[]; end: number } => {
    const fields: Field[] = []
    const part = /\s*(?:(\})|\.\.\.\s*on\s+\w+\s*\{|\.\.\.\s*(\w+)|(?:\w+\s*:\s*)?(\w+))/gy
    let position = at + 1
    for (;;) {
      part.lastIndex = position
      const found = part.exec(words)
      if (!found) throw new Error(`The query cannot be read from here: ${words.slice(position)}`)
      position = part.lastIndex
      const [whole, end, fragment, name] = found
      if (end !== undefined) return { fields, end: position }
      if (fragment !== undefined) {
        fields.push(...(fragments.get(fragment) ?? []))
        continue
      }
      if (name === undefined) {
        const inner = readSelection(words, position - 1)
        fields.push(...inner.fields)
        position = inner.end
        continue
      }
      let given = ''
      const open = /\s*(?:@\w+\s*)?\(/y
      open.lastIndex = position
      while (open.test(words)) {
        const last = endOfArguments(words, open.lastIndex - 1)
        given += words.slice(position, last)
        position = last
        open.lastIndex = position
      }
      const first = /\bfirst:\s*(\d+)/.exec(given)?.[1]
      const selection = /\s*\{/y
      selection.lastIndex = position
      const inner = selection.test(words) ? readSelection(words, selection.lastIndex - 1) : null
      if (inner) position = inner.end
      // A name without a selection is a value, which costs nothing.
      if (inner)
        fields.push({
          name: whole.includes(':') ? name : whole.trim(),
          first: first === undefined ? null : Number(first),
          isOfIds: /\bids:/.test(given),
          fields: inner.fields,
        })
    }
  }
  const parts = document.split(/(?=^fragment )/m)
  for (const part of parts.slice(1)) {
    const name = /^fragment (\w+)/.exec(part)?.[1] ?? ''
    fragments.set(name, readSelection(part, part.indexOf('{')).fields)
  }
  const [operation = ''] = parts
  const variables = operation.indexOf('(')
  const isBefore = variables >= 0 && variables < operation.indexOf('{')
  return readSelection(operation, operation.indexOf('{', isBefore ? endOfArguments(operation, variables) : 0))
    .fields
}

/**
 * Returns the points that a query may cost, as Shopify documents it: an object has 1, a connection 2 and its nodes as
 * often as its `first` says, a mutation 10. A list counts with its `first` or with the number of the ids.
 */
export function costOf(document: string, variables: Readonly<Record<string, unknown>>): number {
  const { ids } = variables
  const sum = (fields: readonly Field[]): number =>
    fields.reduce((points, { first, isOfIds, fields: inner }) => {
      const isConnection = first !== null && inner.some((each) => each.name === 'nodes')
      if (isConnection) {
        const nodes = inner.filter((each) => each.name === 'nodes')
        const others = inner.filter((each) => each.name !== 'nodes')
        return points + 2 + sum(others) + first * sum(nodes)
      }
      const times = isOfIds && Array.isArray(ids) ? ids.length : (first ?? 1)
      return points + times * (1 + sum(inner))
    }, 0)
  return sum(readFields(document)) + (document.startsWith('mutation') ? MUTATION_COST : 0)
}
