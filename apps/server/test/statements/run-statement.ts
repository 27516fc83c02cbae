import { bindPattern } from './patterns.ts'
import { type Node, child, children, maybeChild } from './source.ts'
import { Environment, type Evaluator, Unknown, type Value, nameOf } from './values.ts'

/** The end of a function or loop: `return`, `throw`, or `break` (which also stands for `continue`). */
export class Jump {
  readonly kind: 'return' | 'throw' | 'break'
  readonly value: Value
  constructor(kind: Jump['kind'], value?: Value) {
    this.kind = kind
    this.value = value
  }
}

/** Stands for any error that a function throws. */
export class Thrown extends Error {}

/** Declares functions before the statements run, as JavaScript does. */
export function declareFunctions(
  evaluator: Evaluator,
  statements: readonly Node[],
  environment: Environment,
): void {
  for (const statement of statements)
    if (statement.type === 'FunctionDeclaration')
      environment.declare(child(statement, 'id').name as string, evaluator.closure(statement, environment))
}

function runAll(
  evaluator: Evaluator,
  statements: readonly Node[],
  environment: Environment,
): Jump | undefined {
  declareFunctions(evaluator, statements, environment)
  for (const statement of statements) {
    const jump = runStatement(evaluator, statement, environment)
    if (jump) return jump
  }
  return undefined
}

export function runStatement(evaluator: Evaluator, node: Node, environment: Environment): Jump | undefined {
  const read = (field: string): Value => evaluator.evaluate(child(node, field), environment)
  const inner = () => new Environment(environment.file, environment)
  switch (node.type) {
    case 'BlockStatement':
      return runAll(evaluator, children(node, 'body'), inner())
    case 'VariableDeclaration':
      for (const declarator of children(node, 'declarations')) {
        const init = maybeChild(declarator, 'init')
        const value = init ? evaluator.evaluate(init, environment) : undefined
        bindPattern(evaluator, child(declarator, 'id'), value, environment)
      }
      return undefined
    case 'ExpressionStatement':
      read('expression')
      return undefined
    case 'ReturnStatement':
      return new Jump('return', maybeChild(node, 'argument') ? read('argument') : undefined)
    case 'ThrowStatement':
      read('argument')
      return new Jump('throw')
    case 'IfStatement': {
      const branch = evaluator.isTruthy(read('test'))
        ? child(node, 'consequent')
        : maybeChild(node, 'alternate')
      return branch ? runStatement(evaluator, branch, inner()) : undefined
    }
    case 'SwitchStatement':
      return runSwitch(evaluator, node, environment)
    case 'TryStatement':
      return runTry(evaluator, node, environment)
    case 'BreakStatement':
    case 'ContinueStatement':
      return new Jump('break')
    case 'ForOfStatement': {
      const each = inner()
      const list = read('right')
      const [declarator] = children(child(node, 'left'), 'declarations')
      const item = Array.isArray(list) ? list[0] : new Unknown(`${nameOf(list)}[]`)
      if (declarator) bindPattern(evaluator, child(declarator, 'id'), item, each)
      return runLoop(evaluator, node, each)
    }
    case 'ForStatement': {
      const each = inner()
      const init = maybeChild(node, 'init')
      if (init?.type === 'VariableDeclaration') runStatement(evaluator, init, each)
      return runLoop(evaluator, node, each)
    }
    case 'WhileStatement':
    case 'DoWhileStatement':
      read('test')
      return runLoop(evaluator, node, environment)
    default:
      return undefined
  }
}

/** Runs the body of a loop once, because a second round would build the same SQL. */
function runLoop(evaluator: Evaluator, node: Node, environment: Environment): Jump | undefined {
  const jump = runStatement(evaluator, child(node, 'body'), environment)
  return jump?.kind === 'break' ? undefined : jump
}

function runSwitch(evaluator: Evaluator, node: Node, environment: Environment): Jump | undefined {
  const asked = evaluator.evaluate(child(node, 'discriminant'), environment)
  const cases = children(node, 'cases')
  const matches = (each: Node): boolean => {
    const test = maybeChild(each, 'test')
    return test !== null && evaluator.areEqual(asked, evaluator.evaluate(test, environment))
  }
  const found = cases.findIndex(matches)
  const from = found >= 0 ? found : cases.findIndex((each) => maybeChild(each, 'test') === null)
  if (from < 0) return undefined
  const statements = cases.slice(from).flatMap((each) => children(each, 'consequent'))
  const jump = runAll(evaluator, statements, new Environment(environment.file, environment))
  return jump?.kind === 'break' ? undefined : jump
}

/**
 * Runs a `try` statement. A choice decides whether its handler also runs, because the handler may contain SQL
 * of its own.
 */
function runTry(evaluator: Evaluator, node: Node, environment: Environment): Jump | undefined {
  const handler = maybeChild(node, 'handler')
  const fails = handler !== null && evaluator.choices.choose(`fails: ${node.start}`, 2) === 1
  const finalizer = maybeChild(node, 'finalizer')
  try {
    const jump = runStatement(evaluator, child(node, 'block'), environment)
    return fails ? runStatement(evaluator, child(handler, 'body'), environment) : jump
  } catch (error) {
    if (!(error instanceof Thrown) || handler === null) throw error
    return runStatement(evaluator, child(handler, 'body'), environment)
  } finally {
    if (finalizer) runStatement(evaluator, finalizer, environment)
  }
}
