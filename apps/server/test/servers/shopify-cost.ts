/** Maximum cost of a query in points. Shopify refuses a query that may cost more before it runs it. */
export const MAX_COST = 1000
const MUTATION_COST = 10

/**
 * A field of a query with a selection: its name, its argument `first`, whether it has the argument `ids`, and the
 * fields that it selects.
 */
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

/** Reads the fields of a query. The fields of a fragment replace the name of the fragment. */
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
      // A field without a selection costs nothing, so it is left out.
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
 * Returns the maximum cost of a query in points, calculated as Shopify documents it: 1 for an object, 10 for a
 * mutation, and 2 for a connection, plus `first` times the cost of its nodes. The cost of a list is multiplied by its
 * `first`, or by the number of its ids.
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
