import type { Choices } from './choices.ts'
import type { Node, SourceFile } from './source.ts'

/** A value that only a run of the product knows, by the expression that it comes from. */
export class Unknown {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The pool or a transaction: what templates are tagged with. */
export class Handle extends Unknown {}

/** What `sql(…)` answers: names of columns, or values for `in`. */
export class HelperCall {
  readonly value: Value
  constructor(value: Value) {
    this.value = value
  }
}

/** A piece of SQL: texts, and a null for each parameter between them. */
export class Sql {
  readonly parts: readonly (string | null)[]
  /** Where the templates are that it is made of. */
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

/** Names and their values; a name that is not here is looked for further out. */
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

  /** The environment that has the name; null for one of the module or of the language. */
  find(name: string): Environment | null {
    return this.#values.has(name) ? this : (this.#outer?.find(name) ?? null)
  }

  get(name: string): Value {
    return this.#values.get(name)
  }
}

/** What those who follow a part of the sources need of the one who follows all. */
export interface Evaluator {
  choices: Choices
  evaluate(node: Node, environment: Environment): Value
  call(closure: Closure, given: readonly Value[] | null): Value
  property(object: Value, key: Value): Value
  resolve(value: Value): Value
  isTruthy(value: Value): boolean
  areEqual(one: Value, other: Value): boolean
  /** A function, which is called at the end if nobody calls it. */
  closure(node: Node, environment: Environment): Closure
}

export const isPrimitive = (value: Value): value is string | number | boolean | bigint | null | undefined =>
  value === null || typeof value !== 'object'

/** How a value stands in the name of one that is computed from it. */
export function nameOf(value: Value): string {
  if (value instanceof Unknown) return value.name
  if (value instanceof Closure) return `closure@${value.node.start}`
  if (Array.isArray(value)) return `[${value.map(nameOf).join()}]`
  if (value instanceof Map) return `{${[...value].map(([key, each]) => `${key}:${nameOf(each)}`).join()}}`
  return isPrimitive(value) ? `${typeof value}:${String(value)}` : 'sql'
}

/** A known value as a text, or the name of another. */
export const textOf = (value: Value): string => (isPrimitive(value) ? String(value) : nameOf(value))
