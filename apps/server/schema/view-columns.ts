import { type TreeNode, fieldOf, isNode, nodesOf, parseNodeTree } from './node-tree.ts'

/** A column of a view, as far as the view's query describes it. */
export interface ViewColumn {
  /** True if the query shows that the column is never null. PostgreSQL reports every column of a view as nullable. */
  isNeverNull: boolean
  /** The column that it shows unchanged; null if it is computed. */
  source: { relation: number; column: number } | null
}

/** Whether a column is never null, by the oid of its relation and its number. */
type IsNeverNull = (relation: number, column: number) => boolean

const RELATION = '0'
const SUBQUERY = '1'
const EXISTS = '0'

/** The columns of a view, in order, from its stored rule (`pg_rewrite.ev_action`). */
export function readViewColumns(rule: string, isNeverNull: IsNeverNull): ViewColumn[] {
  const tree = parseNodeTree(rule)
  const [query] = Array.isArray(tree) ? tree : []
  if (!isNode(query)) throw new Error('The rule of a view is no query.')
  return columnsOf(query, isNeverNull)
}

function columnsOf(query: TreeNode, isNeverNull: IsNeverNull): ViewColumn[] {
  const tables = nodesOf(query, 'rtable')
  if (isNode(fieldOf(query, 'setOperations'))) return unitedColumns(tables, isNeverNull)
  const read = (expression: TreeNode) => readExpression(expression, tables, isNeverNull)
  return nodesOf(query, 'targetList')
    .filter((entry) => fieldOf(entry, 'resjunk') === 'false')
    .map((entry) => {
      const expression = fieldOf(entry, 'expr')
      return isNode(expression) ? read(expression) : { isNeverNull: false, source: null }
    })
}

/** A column of a union is never null if it is never null in any branch. */
function unitedColumns(tables: readonly TreeNode[], isNeverNull: IsNeverNull): ViewColumn[] {
  const branches = tables.flatMap((table) => {
    const query = fieldOf(table, 'subquery')
    return isNode(query) ? [columnsOf(query, isNeverNull)] : []
  })
  return (branches[0] ?? []).map((_, index) => ({
    isNeverNull: branches.every((columns) => columns[index]?.isNeverNull),
    source: null,
  }))
}

function readExpression(
  expression: TreeNode,
  tables: readonly TreeNode[],
  isNeverNull: IsNeverNull,
): ViewColumn {
  const isSafe = (node: TreeNode): boolean => readExpression(node, tables, isNeverNull).isNeverNull
  const areSafe = (field: string): boolean => nodesOf(expression, field).every(isSafe)
  const computed = (value: boolean): ViewColumn => ({ isNeverNull: value, source: null })
  switch (expression.name) {
    case 'VAR':
      return readVariable(expression, tables, isNeverNull)
    case 'CONST':
      return computed(fieldOf(expression, 'constisnull') === 'false')
    case 'COALESCEEXPR':
      return computed(nodesOf(expression, 'args').some(isSafe))
    case 'NULLTEST':
      return computed(true)
    case 'SUBLINK':
      return computed(fieldOf(expression, 'subLinkType') === EXISTS)
    // Assumes that an operator returns null only for null. Operators on jsonb are an exception; no view uses one.
    case 'OPEXPR':
    case 'BOOLEXPR':
      return computed(areSafe('args'))
    case 'RELABELTYPE': {
      const inner = fieldOf(expression, 'arg')
      return computed(isNode(inner) && isSafe(inner))
    }
    default:
      return computed(false)
  }
}

function readVariable(variable: TreeNode, tables: readonly TreeNode[], isNeverNull: IsNeverNull): ViewColumn {
  const table = tables[Number(fieldOf(variable, 'varno')) - 1]
  const column = Number(fieldOf(variable, 'varattno'))
  const nulledBy = fieldOf(variable, 'varnullingrels')
  // PostgreSQL writes `(b)` for the empty set. No outer join can then make the column null.
  const isKept = Array.isArray(nulledBy) && nulledBy.length === 1
  if (!table || fieldOf(variable, 'varlevelsup') !== '0') return { isNeverNull: false, source: null }
  if (fieldOf(table, 'rtekind') === RELATION) {
    const relation = Number(fieldOf(table, 'relid'))
    return { isNeverNull: isKept && isNeverNull(relation, column), source: { relation, column } }
  }
  const query = fieldOf(table, 'subquery')
  const inner =
    fieldOf(table, 'rtekind') === SUBQUERY && isNode(query)
      ? columnsOf(query, isNeverNull)[column - 1]
      : undefined
  return { isNeverNull: isKept && inner?.isNeverNull === true, source: inner?.source ?? null }
}
