import type { Choices } from './choices.ts'
import type { Node, SourceFile } from './source.ts'

/** A value that is unknown before the server runs. It is named after its expression. */
export class Unknown {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The pool or a transaction, which is used as the tag of SQL templates. */
export class Handle extends Unknown {}

/** The result of `sql(…)`: column names, or values for `in`. */
export class HelperCall {
  readonly value: Value
  constructor(value: Value) {
    this.value = value
  }
}

/** A piece of SQL. Its parts are strings, with null in the place of each parameter. */
export class Sql {
  readonly parts: readonly (string | null)[]
  /** The positions of the templates of which this SQL consists. */
  readonly templates: ReadonlySet<string>
  constructor(parts: readonly (string | null)[], templates: ReadonlySet<string>) {
    this.parts = parts
    this.templates = templates
  }

  get text(): string {
    let parameters = 0
    return this.parts.map((part) => part ?? `$${++parameters}`).join('')
  }
}

export class Closure {
  readonly node: Node
  readonly environment: Environment
  constructor(node: Node, environment: Environment) {
    this.node = node
    this.environment = environment
  }
}

export type Value =
  | string
  | number
  | boolean
  | bigint
  | null
  | undefined
  | Unknown
  | HelperCall
  | Sql
  | Closure
  | Value[]
  | Map<string, Value>

/** A scope: names with their values, and the enclosing scope. */
export class Environment {
  readonly file: SourceFile
  readonly #values = new Map<string, Value>()
  readonly #outer: Environment | null
  constructor(file: SourceFile, outer: Environment | null) {
    this.file = file
    this.#outer = outer
  }

  declare(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  /** Returns the scope that declares the name, or null. */
  find(name: string): Environment | null {
    return this.#values.has(name) ? this : (this.#outer?.find(name) ?? null)
  }

  get(name: string): Value {
    return this.#values.get(name)
  }
}

/** The part of the interpreter that its helpers use. */
export interface Evaluator {
  choices: Choices
  evaluate(node: Node, environment: Environment): Value
  call(closure: Closure, given: readonly Value[] | null): Value
  property(object: Value, key: Value): Value
  resolve(value: Value): Value
  isTruthy(value: Value): boolean
  areEqual(one: Value, other: Value): boolean
  /** Creates a closure for a function. If it is never called, it is called with Unknowns at the end. */
  closure(node: Node, environment: Environment): Closure
}

export const isPrimitive = (value: Value): value is string | number | boolean | bigint | null | undefined =>
  value === null || typeof value !== 'object'

/** Returns the name of a value. It is used in the name of an Unknown that is calculated from the value. */
export function nameOf(value: Value): string {
  if (value instanceof Unknown) return value.name
  if (value instanceof Closure) return `closure@${value.node.start}`
  if (Array.isArray(value)) return `[${value.map(nameOf).join()}]`
  if (value instanceof Map) return `{${[...value].map(([key, each]) => `${key}:${nameOf(each)}`).join()}}`
  return isPrimitive(value) ? `${typeof value}:${String(value)}` : 'sql'
}

/** Returns a primitive value as a string, or the name of any other value. */
export const textOf = (value: Value): string => (isPrimitive(value) ? String(value) : nameOf(value))
