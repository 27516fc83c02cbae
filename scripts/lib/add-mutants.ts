import { parseSync } from 'oxc-parser'

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** A small change of the source, as a test of the tests. It is active while `globalThis.activeMutant` is its number. */
export interface Mutant {
  number: number
  place: string
  /** The line of the source, before and after the change. */
  change: string
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '>': '<=',
  '<': '>=',
  '>=': '>',
  '<=': '<',
  '&&': '||',
  '||': '&&',
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value
const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter(isNode)
    .toSorted((a, b) => a.start - b.start)
/** Whether a node is a TypeScript type, which has no code. A cast is no type, because the expression in it has code. */
const isType = ({ type }: Node): boolean => type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type)

/**
 * Adds mutants to TypeScript source: other operators, removed negations, inverted literals and conditions, and errors
 * that are not thrown. Changes only code inside functions. Other code runs when the file is loaded, before a mutant is
 * active.
 */
export function addMutants(source: string, file: string, mutants: Mutant[]): string {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} could not be parsed`)
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length
  const lines = source.split('\n')
  const add = (node: Node, change: string): string => {
    const number = mutants.length + 1
    const line = lineOf(node.start)
    mutants.push({ number, place: `${file}:${line}`, change: `${lines[line - 1]?.trim()} → ${change}` })
    return `globalThis.activeMutant === ${number}`
  }

  const render = (node: Node, isInside: boolean): string => {
    if (isType(node)) return source.slice(node.start, node.end)
    const within = isInside || /Function/.test(node.type)
    let text = ''
    let at = node.start
    const rendered = new Map<Node, string>()
    for (const child of childrenOf(node)) {
      if (child.start < at) continue
      const part = render(child, within)
      rendered.set(child, part)
      text += source.slice(at, child.start) + part
      at = child.end
    }
    text += source.slice(at, node.end)
    return isInside ? mutated(node, text, (child) => rendered.get(child as Node) ?? '') : text
  }

  const mutated = (node: Node, text: string, partOf: (child: unknown) => string): string => {
    const { type, operator } = node
    if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      const opposite = OPPOSITES[String(operator)]
      if (opposite === undefined) return text
      const other = `(${partOf(node['left'])}) ${opposite} (${partOf(node['right'])})`
      return `(${add(node, `${String(operator)} becomes ${opposite}`)} ? ${other} : ${text})`
    }
    if (type === 'UnaryExpression' && operator === '!')
      return `(${add(node, '! is left out')} ? ${partOf(node['argument'])} : ${text})`
    if (type === 'Literal' && typeof node['value'] === 'boolean')
      return `(${add(node, `${text} is flipped`)} ? ${String(!node['value'])} : ${text})`
    if (type === 'ThrowStatement') return `{ if (!(${add(node, 'the error is not thrown')})) ${text} }`
    if (type === 'IfStatement') {
      const test = partOf(node['test'])
      const always = add(node, 'the condition is always true')
      const never = add(node, 'the condition is never true')
      return text.replace(test, () => `${always} ? true : ${never} ? false : ${test}`)
    }
    return text
  }
  return render(program as unknown as Node, false)
}
