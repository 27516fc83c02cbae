import type { Choices } from './choices.ts'
import { composeSql } from './compose.ts'
import { callMethod } from './methods.ts'
import { bindPattern, patternName } from './patterns.ts'
import { Thrown, declareFunctions, runStatement } from './run-statement.ts'
import { type Node, type SourceFile, child, children, maybeChild, resolveSource } from './source.ts'
import {
  Closure,
  Environment,
  type Evaluator,
  Handle,
  HelperCall,
  Sql,
  Unknown,
  type Value,
  isPrimitive,
  nameOf,
  textOf,
} from './values.ts'

const MAX_DEPTH = 40
const CONSTANT_NAME = /^[A-Z][A-Z0-9_]*$/
const HANDLE_NAME = /^(sql|tx|connection|transaction)$/

/**
 * Runs functions of the server symbolically, only as far as their SQL depends on it. An Unknown represents a value that
 * is unknown before the server runs. If a branch depends on an Unknown, `choices` decides which branch is taken.
 */
export class Interpreter implements Evaluator {
  readonly choices: Choices
  readonly statements: Sql[] = []
  /** Closures that have not been called yet. */
  readonly uncalled = new Set<Closure>()
  readonly #globals = new Map<SourceFile, Environment>()
  readonly #stack: Node[] = []
  /** Values that a choice has assigned to Unknowns, by the name of the Unknown. */
  readonly #known = new Map<string, Value>()

  readonly #firstColumn: (table: string) => string

  /** Creates an interpreter. `firstColumn` returns a writable column of a table. */
  constructor(choices: Choices, firstColumn: (table: string) => string) {
    this.choices = choices
    this.#firstColumn = firstColumn
  }

  /** Returns the names that a file declares at its top level. */
  moduleOf(file: SourceFile): Environment {
    const known = this.#globals.get(file)
    if (known) return known
    const environment = new Environment(file, null)
    this.#globals.set(file, environment)
    declareFunctions(this, children(file.program, 'body').map(declarationOf), environment)
    for (const statement of children(file.program, 'body')) {
      if (statement.type === 'ImportDeclaration') this.#import(statement, environment)
      else {
        const declaration = declarationOf(statement)
        if (declaration.type === 'VariableDeclaration') runStatement(this, declaration, environment)
        if (declaration.type === 'ClassDeclaration')
          for (const member of children(child(declaration, 'body'), 'body'))
            if (member.type === 'MethodDefinition') this.closure(child(member, 'value'), environment)
      }
    }
    return environment
  }

  /** Calls a closure with Unknowns. After that, calls the functions that it created but did not call. */
  callAll(closure: Closure): void {
    const before = new Set(this.uncalled)
    const waiting = [closure]
    while (waiting.length > 0) {
      try {
        this.call(waiting.shift()!, null)
      } catch (error) {
        if (!(error instanceof Thrown)) throw error
      }
      waiting.push(...[...this.uncalled].filter((each) => !before.has(each) && !waiting.includes(each)))
    }
  }

  /** Calls a closure with arguments. If `given` is null, calls it with Unknowns. */
  call(closure: Closure, given: readonly Value[] | null): Value {
    this.uncalled.delete(closure)
    const { node } = closure
    if (this.#stack.includes(node) || this.#stack.length > MAX_DEPTH)
      return new Unknown(`again@${node.start}`)
    const environment = new Environment(closure.environment.file, closure.environment)
    this.#stack.push(node)
    try {
      children(node, 'params').forEach((pattern, index) => {
        const value =
          given === null
            ? this.#argumentFor(pattern)
            : pattern.type === 'RestElement'
              ? given.slice(index)
              : given[index]
        bindPattern(this, pattern, value, environment)
      })
      const body = child(node, 'body')
      if (body.type !== 'BlockStatement') return this.evaluate(body, environment)
      const end = runStatement(this, body, environment)
      if (end?.kind === 'throw') throw new Thrown()
      return end?.value
    } finally {
      this.#stack.pop()
    }
  }

  #argumentFor(pattern: Node): Value {
    const name = patternName(pattern)
    return HANDLE_NAME.test(name) ? new Handle(name) : new Unknown(name)
  }

  /** Returns whether a value is truthy. */
  isTruthy(value: Value): boolean {
    if (isPrimitive(value)) return Boolean(value)
    if (!(value instanceof Unknown)) return true
    if (this.#known.has(value.name)) return this.isTruthy(this.#known.get(value.name))
    if (value instanceof Handle) return true
    if (this.choices.has(`is nullish: ${value.name}`) === 1) return false
    return this.choices.choose(`is true: ${value.name}`, 2) === 0
  }

  isNullish(value: Value): boolean {
    if (!(value instanceof Unknown) || value instanceof Handle) return value === null || value === undefined
    if (this.#known.has(value.name)) return this.isNullish(this.#known.get(value.name))
    if (this.choices.has(`is true: ${value.name}`) === 0) return false
    return this.choices.choose(`is nullish: ${value.name}`, 2) === 1
  }

  areEqual(one: Value, other: Value): boolean {
    const [left, right] = [this.resolve(one), this.resolve(other)]
    if (isPrimitive(left) && isPrimitive(right)) return left === right
    if (left === null || left === undefined) return this.isNullish(right)
    if (right === null || right === undefined) return this.isNullish(left)
    const isEqual = this.choices.choose(`${nameOf(left)} === ${nameOf(right)}`, 2) === 0
    if (isEqual && left instanceof Unknown && isPrimitive(right)) this.#known.set(left.name, right)
    if (isEqual && right instanceof Unknown && isPrimitive(left)) this.#known.set(right.name, left)
    return isEqual
  }

  /** Returns the value that a choice has assigned to an Unknown. Returns any other value unchanged. */
  resolve(value: Value): Value {
    return value instanceof Unknown && this.#known.has(value.name) ? this.#known.get(value.name) : value
  }

  /** Returns a property of an object or array. A property of an Unknown is an Unknown. */
  property(object: Value, key: Value): Value {
    const name = this.resolve(key)
    if (object instanceof Map) {
      if (!(name instanceof Unknown)) return object.get(textOf(name))
      const keys = [...object.keys()]
      const chosen = keys[this.choices.choose(`key: ${name.name}`, keys.length)]
      this.#known.set(name.name, chosen)
      return chosen === undefined ? undefined : object.get(chosen)
    }
    if (Array.isArray(object) && typeof name === 'number') return object[name]
    if (Array.isArray(object) && name === 'length') return object.length
    const path = `${nameOf(object)}.${textOf(name)}`
    return typeof name === 'string' && HANDLE_NAME.test(name) ? new Handle(path) : new Unknown(path)
  }

  evaluate(node: Node, environment: Environment): Value {
    const read = (field: string): Value => this.evaluate(child(node, field), environment)
    switch (node.type) {
      case 'Literal':
        return isPrimitive(node.value as Value) ? (node.value as Value) : new Unknown(`literal@${node.start}`)
      case 'Identifier':
        return this.#lookUp(node.name as string, environment)
      case 'TemplateLiteral':
        return this.#text(node, environment)
      case 'TaggedTemplateExpression':
        return this.#template(node, environment)
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        return read('expression')
      case 'AwaitExpression':
        return this.#awaited(read('argument'), node)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.closure(node, environment)
      case 'ConditionalExpression':
        return this.isTruthy(read('test')) ? read('consequent') : read('alternate')
      case 'LogicalExpression':
        return this.#logical(node, environment)
      case 'BinaryExpression':
        return this.#binary(node, environment)
      case 'UnaryExpression':
        if (node.operator === '!') return !this.isTruthy(read('argument'))
        return new Unknown(`${node.operator as string} ${nameOf(read('argument'))}`)
      case 'MemberExpression':
        return this.property(
          read('object'),
          node.computed ? read('property') : (child(node, 'property').name as string),
        )
      case 'ObjectExpression':
        return this.#object(node, environment)
      case 'ArrayExpression':
        return children(node, 'elements').flatMap((element) => this.#elements(element, environment))
      case 'CallExpression':
        return this.#call(node, environment)
      case 'NewExpression':
        return this.#callUnknown(`new@${node.start}`, this.#arguments(node, environment))
      case 'AssignmentExpression':
        return this.#assign(child(node, 'left'), read('right'), environment)
      default:
        return new Unknown(`${node.type}@${node.start}`)
    }
  }

  #lookUp(name: string, environment: Environment): Value {
    const home = environment.find(name)
    if (home) return this.resolve(home.get(name))
    const found = this.moduleOf(environment.file)
    if (found.find(name)) return found.get(name)
    return name === 'undefined' ? undefined : HANDLE_NAME.test(name) ? new Handle(name) : new Unknown(name)
  }

  closure(node: Node, environment: Environment): Closure {
    const closure = new Closure(node, environment)
    if (environment.file.templates.size > 0) this.uncalled.add(closure)
    return closure
  }

  #text(node: Node, environment: Environment): Value {
    const values = children(node, 'expressions').map((each) => this.resolve(this.evaluate(each, environment)))
    const texts = children(node, 'quasis').map(({ value }) => (value as { cooked: string }).cooked)
    return values.every(isPrimitive)
      ? texts.map((text, index) => text + (index < values.length ? textOf(values[index]) : '')).join('')
      : new Unknown(`text(${texts.join()},${values.map(nameOf).join()})`)
  }

  #template(node: Node, environment: Environment): Value {
    const quasi = child(node, 'quasi')
    const values = children(quasi, 'expressions').map((each) =>
      this.resolve(this.evaluate(each, environment)),
    )
    const texts = children(quasi, 'quasis').map(({ value }) => (value as { cooked: string }).cooked)
    const place = environment.file.templates.get(node.start)
    if (place === undefined) return new Unknown(`raw@${node.start}`)
    const sql = composeSql(texts, values, place)
    this.statements.push(sql)
    return sql
  }

  #awaited(value: Value, node: Node): Value {
    return value instanceof Sql ? new Unknown(`rows@${node.start}`) : value
  }

  #logical(node: Node, environment: Environment): Value {
    const left = this.evaluate(child(node, 'left'), environment)
    const goesOn =
      node.operator === '&&'
        ? this.isTruthy(left)
        : node.operator === '||'
          ? !this.isTruthy(left)
          : this.isNullish(left)
    return goesOn ? this.evaluate(child(node, 'right'), environment) : left
  }

  #binary(node: Node, environment: Environment): Value {
    const operator = node.operator as string
    const [left, right] = ['left', 'right'].map((field) =>
      this.resolve(this.evaluate(child(node, field), environment)),
    )
    if (operator.startsWith('==')) return this.areEqual(left, right)
    if (operator.startsWith('!=')) return !this.areEqual(left, right)
    return new Unknown(`${nameOf(left)} ${operator} ${nameOf(right)}`)
  }

  #object(node: Node, environment: Environment): Map<string, Value> {
    const object = new Map<string, Value>()
    for (const property of children(node, 'properties')) {
      if (property.type === 'SpreadElement') {
        const spread = this.evaluate(child(property, 'argument'), environment)
        if (spread instanceof Map) for (const [key, value] of spread) object.set(key, value)
        continue
      }
      const key = child(property, 'key')
      const name = property.computed ? this.evaluate(key, environment) : ((key.name ?? key.value) as string)
      object.set(textOf(name), this.evaluate(child(property, 'value'), environment))
    }
    return object
  }

  #elements(element: Node | null, environment: Environment): Value[] {
    if (element === null) return [undefined]
    if (element.type !== 'SpreadElement') return [this.evaluate(element, environment)]
    const spread = this.evaluate(child(element, 'argument'), environment)
    return Array.isArray(spread) ? spread : [new Unknown(`${nameOf(spread)}[]`)]
  }

  #arguments(node: Node, environment: Environment): Value[] {
    return children(node, 'arguments').flatMap((each) => this.#elements(each, environment))
  }

  #call(node: Node, environment: Environment): Value {
    const callee = child(node, 'callee')
    if (callee.type === 'MemberExpression') {
      const object = this.evaluate(child(callee, 'object'), environment)
      const property = child(callee, 'property')
      const name = callee.computed
        ? this.resolve(this.evaluate(property, environment))
        : (property.name as string)
      const values = this.#arguments(node, environment)
      const method = object instanceof Map ? this.property(object, name) : undefined
      if (method instanceof Closure) return this.call(method, values)
      return callMethod(this, object, typeof name === 'string' ? name : nameOf(name), values)
    }
    const values = this.#arguments(node, environment)
    if (callee.name === 'insertInto' || callee.name === 'updateTable') return this.#write(callee.name, values)
    const called = this.evaluate(callee, environment)
    if (called instanceof Closure) return this.call(called, values)
    return called instanceof Handle
      ? new HelperCall(this.resolve(values[0]))
      : this.#callUnknown(nameOf(called), values)
  }

  /**
   * Returns the statements of `insertInto` and `updateTable` without their columns, because the compiler
   * checks the columns.
   */
  #write(helper: 'insertInto' | 'updateTable', [, table]: readonly Value[]): Sql {
    const name = textOf(this.resolve(table))
    const text =
      helper === 'insertInto'
        ? `insert into "${name}" default values`
        : `update "${name}" set "${this.#firstColumn(name)}" = default`
    return new Sql([text], new Set())
  }

  #callUnknown(name: string, values: readonly Value[]): Value {
    return callMethod(this, new Unknown(name), '', values)
  }

  #assign(target: Node, value: Value, environment: Environment): Value {
    if (target.type === 'Identifier') {
      const home = environment.find(target.name as string)
      home?.declare(target.name as string, value)
    }
    return value
  }

  #import(node: Node, environment: Environment): void {
    const face = resolveSource(environment.file, child(node, 'source').value as string)
    for (const specifier of children(node, 'specifiers')) {
      const name = child(specifier, 'local').name as string
      const imported = maybeChild(specifier, 'imported')?.name as string | undefined
      const source = face && imported !== undefined ? homeOf(face, imported) : face
      // Functions in files without SQL only calculate values, so they are treated as unknown.
      const isFollowed = source && (source.templates.size > 0 || CONSTANT_NAME.test(name))
      const value =
        isFollowed && imported !== undefined && node.importKind !== 'type'
          ? this.moduleOf(source).get(imported)
          : undefined
      environment.declare(name, value ?? new Unknown(name))
    }
  }
}

/** Returns the file that declares a name. The `index.ts` of a module only re-exports names. */
function homeOf(face: SourceFile, name: string): SourceFile | null {
  const passedOn = children(face.program, 'body').find(
    (statement) =>
      statement.type === 'ExportNamedDeclaration' &&
      maybeChild(statement, 'source') !== null &&
      children(statement, 'specifiers').some((specifier) => child(specifier, 'exported').name === name),
  )
  return passedOn ? resolveSource(face, child(passedOn, 'source').value as string) : face
}

const declarationOf = (statement: Node): Node => maybeChild(statement, 'declaration') ?? statement
