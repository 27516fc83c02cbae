import { StartupError } from '../../startup-error.ts'
import type { Queryable } from '../database.ts'
import { type EarlierHashes, hashOf, isHashOf } from './migration-hash.ts'
import { commentsBefore, splitStatements, withoutComments } from './split-statements.ts'

/** The first line of a migration whose statements run one by one, each in its own transaction. */
const IN_STEPS = /^--[ \t]*in steps\b/i
/** The comment that marks a statement to be repeated until it returns no row. */
const REPEATED = 'repeat'

export const runsInSteps = (text: string): boolean => IN_STEPS.test(text)

/** Whether a statement is repeated, with one batch of rows at a time. */
export const isRepeated = (statement: string): boolean => commentsBefore(statement).includes(REPEATED)

/** Whether PostgreSQL refuses the statement inside a transaction. */
export const isConcurrent = (statement: string): boolean =>
  /\bconcurrently\b/i.test(withoutComments(statement))

const scriptOf = (statements: readonly string[]): string => statements.join(';\n')

interface Progress {
  steps: number
  sha256: string
}

export async function createProgressTable(connection: Queryable): Promise<void> {
  await connection.unsafe(`create table if not exists schema_migration_steps (
    name text primary key,
    steps integer not null,
    sha256 text not null
  )`)
}

/**
 * Applies a migration statement by statement. Each transaction also records its progress. After an
 * interruption, the next start continues at the first statement that is not recorded. Runs `finish` in the
 * last transaction. Throws StartupError if an applied statement was changed in the meantime.
 */
export async function applyInSteps(
  connection: Queryable,
  { name, text, earlierHashes }: { name: string; text: string; earlierHashes: EarlierHashes },
  inTransaction: (work: () => Promise<unknown>) => Promise<void>,
  finish: () => Promise<unknown>,
): Promise<void> {
  const statements = splitStatements(text)
  const [done = { steps: 0, sha256: hashOf('') }] = await connection<
    Progress[]
  >`select steps, sha256 from schema_migration_steps where name = ${name}`
  if (!isHashOf(done.sha256, scriptOf(statements.slice(0, done.steps)), earlierHashes))
    throw new StartupError(
      `The first ${done.steps} statements of the migration ${name} were changed after they had been applied: restore them.`,
    )
  for (const [index, statement] of statements.entries()) {
    if (index < done.steps) continue
    const note = () => connection`
      insert into schema_migration_steps (name, steps, sha256)
      values (${name}, ${index + 1}, ${hashOf(scriptOf(statements.slice(0, index + 1)))})
      on conflict (name) do update set steps = excluded.steps, sha256 = excluded.sha256`
    if (isConcurrent(statement)) {
      await runConcurrently(connection, statement)
      await note()
    } else if (isRepeated(statement)) {
      await repeat(connection, statement, inTransaction)
      await note()
    } else
      await inTransaction(async () => {
        await connection.unsafe(statement)
        await note()
      })
  }
  await inTransaction(async () => {
    await connection`delete from schema_migration_steps where name = ${name}`
    await finish()
  })
}

/** Runs a statement until it returns no row. Each run is its own transaction, so that row locks are short. */
async function repeat(
  connection: Queryable,
  statement: string,
  inTransaction: (work: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  for (let rows = 1; rows > 0; )
    await inTransaction(async () => {
      rows = (await connection.unsafe(statement)).length
    })
}

const CREATED_INDEX =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("?)(\w+)\1/i

/**
 * Runs a statement outside a transaction. If an earlier run left an invalid index, drops it first. If the
 * index already exists and is valid, keeps it and does nothing.
 */
async function runConcurrently(connection: Queryable, statement: string): Promise<void> {
  const [, , index] = CREATED_INDEX.exec(withoutComments(statement)) ?? []
  if (index !== undefined) {
    const [found] = await connection<{ is_valid: boolean }[]>`
      select indisvalid as is_valid from pg_index where indexrelid = to_regclass(quote_ident(${index}))`
    if (found?.is_valid === true) return
    if (found) await connection.unsafe(`drop index concurrently ${connection(index).text}`)
  }
  await connection.unsafe(statement)
}
