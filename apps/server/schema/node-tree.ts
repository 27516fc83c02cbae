/** A node of a query as PostgreSQL stores it, such as `{VAR :varno 1 :varattno 2}`. */
export interface TreeNode {
  name: string
  /** The values of each field. Most fields have one value; a constant has several words. */
  fields: Record<string, TreeValue[]>
}

/** A word, a list in parentheses, or a node. `<>` is null. */
export type TreeValue = string | TreeValue[] | TreeNode

const TOKEN = /[{}()]|(?:\\.|[^\s{}()\\])+/gs

/** Reads the text of a `pg_node_tree`. */
export function parseNodeTree(text: string): TreeValue {
  const tokens = text.match(TOKEN) ?? []
  let at = 0

  const readValue = (): TreeValue => {
    const token = tokens[at++] ?? ''
    if (token === '(') return readUntil(')')
    return token === '{' ? readNode() : token.replaceAll(/\\(.)/gs, '$1')
  }
  const readUntil = (end: string): TreeValue[] => {
    const values: TreeValue[] = []
    while (at < tokens.length && tokens[at] !== end) values.push(readValue())
    at += 1
    return values
  }
  const readNode = (): TreeNode => {
    const node: TreeNode = { name: tokens[at++] ?? '', fields: {} }
    while (at < tokens.length && tokens[at] !== '}') {
      const field = tokens[at++]!.slice(1)
      const values: TreeValue[] = []
      while (at < tokens.length && tokens[at] !== '}' && !tokens[at]!.startsWith(':'))
        values.push(readValue())
      node.fields[field] = values
    }
    at += 1
    return node
  }
  return readValue()
}

export const isNode = (value: TreeValue | undefined): value is TreeNode =>
  typeof value === 'object' && !Array.isArray(value)

/** The first value of a field. */
export const fieldOf = (node: TreeNode, name: string): TreeValue | undefined => node.fields[name]?.[0]

/** The nodes of a list field; empty if the field is null. */
export function nodesOf(node: TreeNode, name: string): TreeNode[] {
  const value = fieldOf(node, name)
  return Array.isArray(value) ? value.filter(isNode) : []
}
