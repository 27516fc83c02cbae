/** A value that is written as `jsonb`. Without this class, an array would become a PostgreSQL array. */
export class JsonParameter {
  readonly text: string
  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}

/** The name of a table or column, quoted. */
export class Identifier {
  readonly text: string
  constructor(name: string) {
    this.text = `"${name.replaceAll('"', '""')}"`
  }
}

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null
/**
 * The parts of a template: values, which are sent separately from the statement, and fragments of SQL.
 */
export type SqlValue = Scalar | readonly Scalar[] | JsonParameter | Identifier | Query<unknown>

/** A statement that is sent to the database. `$1` is the placeholder of the first value. */
export interface Statement {
  text: string
  values: unknown[]
  /** Whether the text is sent without values, so that it may contain several statements. */
  isScript?: boolean
  /** Whether the statement is never prepared. The server then plans it for its actual values each time. */
  isPlannedAgain?: boolean
}

/** The row type of a query without a type argument. */
// oxlint-disable-next-line typescript/no-explicit-any
export type UntypedRow = Record<string, any>

/** Sends a statement and returns its rows. */
export type Send = (statement: Statement) => Promise<unknown>

/**
 * A fragment of SQL with its values. Inside another template it becomes part of that statement. When awaited,
 * it is sent once and resolves to its rows.
 */
export class Query<Rows> implements Promise<Rows> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly #send: Send
  readonly #strings: readonly string[]
  readonly #values: readonly SqlValue[]
  readonly #isScript: boolean
  #rows: Promise<Rows> | undefined

  constructor(send: Send, strings: readonly string[], values: readonly SqlValue[], isScript = false) {
    this.#send = send
    this.#strings = strings
    this.#values = values
    this.#isScript = isScript
  }

  /** Sends the statement now. */
  execute(): Promise<Rows> {
    this.#rows ??= this.#send(this.#toStatement()) as Promise<Rows>
    return this.#rows
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise, of the type that callers expect
  then<A = Rows, B = never>(
    onRows?: ((rows: Rows) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().then(onRows, onError)
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Rows | B> {
    return this.execute().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Rows> {
    return this.execute().finally(onEnd)
  }

  #toStatement(): Statement {
    const statement: Statement = { text: '', values: [] }
    this.#appendTo(statement)
    if (this.#isScript) statement.isScript = true
    return statement
  }

  #appendTo(statement: Statement): void {
    for (const [index, string] of this.#strings.entries()) {
      statement.text += string
      if (index < this.#strings.length - 1) {
        const value = this.#values[index]
        if (value instanceof Query) value.#appendTo(statement)
        else if (value instanceof Identifier) statement.text += value.text
        else statement.text += placeholderOf(value, statement.values)
      }
    }
  }
}

/**
 * Adds a value and returns its placeholder. The database derives the types of strings, numbers and lists from
 * the statement. Other values name their type, because otherwise `${date} + interval '1 day'` would be read
 * as the sum of two intervals.
 */
function placeholderOf(
  value: Scalar | readonly Scalar[] | JsonParameter | undefined,
  values: unknown[],
): string {
  const place = `$${values.length + 1}`
  const add = (sent: unknown, type = '') => {
    values.push(sent)
    return `${place}${type}`
  }
  if (value === undefined) throw new TypeError('Undefined values are not allowed in a statement.')
  if (value === null || typeof value === 'string' || typeof value === 'number') return add(value)
  if (typeof value === 'boolean') return add(value, '::boolean')
  if (typeof value === 'bigint') return add(String(value), '::bigint')
  if (value instanceof Date) return add(value.toISOString(), '::timestamptz')
  if (value instanceof JsonParameter) return add(value.text, '::jsonb')
  if (value instanceof Uint8Array) return add(value, '::bytea')
  return add(value.map(toElement))
}

/** Converts an element of a list. The driver would write a Date in the time zone of the machine. */
function toElement(value: Scalar | undefined): Scalar {
  if (value === undefined) throw new TypeError('Undefined values are not allowed in a statement.')
  return value instanceof Date ? value.toISOString() : value
}

/** The first argument of a query function: the pool, or the transaction that it joins. */
export interface Queryable {
  /** A template tag for a query or a fragment of one. `Rows` is the type of the returned rows. */
  <Rows extends readonly object[] = UntypedRow[]>(
    strings: TemplateStringsArray,
    ...values: readonly SqlValue[]
  ): Query<Rows>
  /** The name of a table or column. */
  (name: string): Identifier
  json(value: unknown): JsonParameter
  /**
   * Writes an integer into the text of the statement, for the limit of a list. With a placeholder, the plan would have
   * to suit any limit, and might read the whole table.
   */
  literal(value: number): Query<unknown>
  /** Returns values or fragments of SQL, separated by commas. The list must not be empty. */
  list(pieces: readonly SqlValue[]): Query<unknown>
  /**
   * Uses a text as SQL unchanged; the text must never contain user input. Inside a template it is a fragment
   * of SQL. Without values, it may contain several statements and then returns a list of rows for each. With
   * values, `$1` is the placeholder of the first, and the driver converts them.
   */
  unsafe<Rows extends readonly object[] = UntypedRow[]>(
    text: string,
    values?: readonly unknown[],
  ): Query<Rows>
}

/** Creates the template tag. `send` sends its statements. */
export function createSql(send: Send): Queryable {
  function sql(strings: TemplateStringsArray | string, ...values: SqlValue[]) {
    return typeof strings === 'string' ? new Identifier(strings) : new Query(send, strings, values)
  }
  return Object.assign(sql, {
    json: (value: unknown) => new JsonParameter(value),
    literal: (value: number) => {
      if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is no whole number.`)
      return new Query(send, [String(value)], [])
    },
    list: (pieces: readonly SqlValue[]) =>
      new Query(send, ['', ...pieces.slice(1).map(() => ', '), ''], pieces),
    unsafe: (text: string, values?: readonly unknown[]) =>
      values?.length
        ? new Query((statement) => send({ ...statement, values: [...values] }), [text], [])
        : new Query(send, [text], [], true),
  }) as Queryable
}
