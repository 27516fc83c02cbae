import {
  isConcurrent,
  isRepeated,
  runsInSteps,
} from '../../apps/server/src/platform/database/migrations/apply-in-steps.ts'
import {
  commentsBefore,
  splitStatements,
  withoutComments,
} from '../../apps/server/src/platform/database/migrations/split-statements.ts'

/** The comment that allows the next statement to break a rule. It must give a reason. */
const EXCEPTION = /^may block: .{10,}/

interface Rule {
  breaks(statement: Statement): boolean
  /** Why the rule exists, and how to write the migration instead. */
  advice: string
}

interface Statement {
  /** The statement in lower case, without comments and with single spaces. */
  text: string
  isInSteps: boolean
  isRepeated: boolean
  /** The table that the statement changes. Null if the same migration has created the table. */
  table: string | null
}

const TABLE = String.raw`(?:only\s+)?(?:if exists\s+)?"?([\w.]+)"?`
/** Patterns whose first group is the table that a statement changes or locks. */
const TARGETS = [
  `^alter table ${TABLE}`,
  `^create (?:unique )?index (?:concurrently )?(?:if not exists )?(?:\\w+ )?on ${TABLE}`,
  `^(?:update|delete from|lock table|lock|truncate table|truncate|cluster|vacuum full|drop table) ${TABLE}`,
].map((pattern) => new RegExp(pattern))

const alters = (text: string): boolean => text.startsWith('alter table ')
/** Returns the actions of an `alter table` statement. Commas separate them. */
const actionsOf = (text: string): string[] =>
  alters(text) ? text.split(/,\s*(?=(?:add|alter|drop|rename|validate|set)\b)/) : []
const hasAction = (text: string, pattern: RegExp, except?: RegExp): boolean =>
  actionsOf(text).some((action) => pattern.test(action) && !except?.test(action))

const RULES: readonly Rule[] = [
  {
    breaks: ({ text, table }) => table !== null && /^create (unique )?index (?!concurrently)/.test(text),
    advice:
      'blocks writes while it reads the table: use "create index concurrently" in a migration that begins with "-- in steps"',
  },
  {
    breaks: ({ text, isInSteps }) => isConcurrent(text) && !isInSteps,
    advice: 'cannot run inside a transaction: begin the migration with "-- in steps"',
  },
  {
    breaks: ({ text, table }) =>
      table !== null && hasAction(text, /\badd (column )?.*\bnot null\b/, /\b(default|generated)\b/),
    advice:
      'refuses rows that the previous version inserts: give the column a constant default, or allow null',
  },
  {
    breaks: ({ text, table }) =>
      table !== null &&
      hasAction(
        text,
        /\badd (column )?.*(\bdefault [^,]*(random|uuid|nextval|clock_timestamp)|\bgenerated (always|by default) as\b)/,
      ),
    advice: 'rewrites the table: add the column without the value, and fill it in batches ("-- repeat")',
  },
  {
    breaks: ({ text, table }) =>
      table !== null &&
      hasAction(text, /\badd (column )?(?!constraint).*\breferences\b/, /\badd constraint\b/),
    advice:
      'reads both tables under a lock: add the foreign key as a constraint that is "not valid", and validate it',
  },
  {
    breaks: ({ text, table }) =>
      table !== null && hasAction(text, /\badd\b.*\b(check|foreign key)\b/, /\bnot valid\b/),
    advice:
      'reads the table under a lock: add the constraint as "not valid", and validate it in a later step',
  },
  {
    breaks: ({ text, isInSteps }) => !isInSteps && hasAction(text, /\bvalidate constraint\b/),
    advice:
      'keeps the lock of the statement before it while it reads: begin the migration with "-- in steps"',
  },
  {
    breaks: ({ text, table }) =>
      table !== null &&
      hasAction(text, /\badd (constraint \S+ )?(primary key|unique|exclude)\b/, /\busing index\b/),
    advice: 'builds an index under a lock: create it concurrently, and add the constraint "using index"',
  },
  {
    breaks: ({ text, table }) =>
      table !== null && hasAction(text, /\balter (column )?\S+ (set data )?type\b/),
    advice:
      'rewrites the table under a lock: add another column, fill it in batches, and drop the old one later',
  },
  {
    breaks: ({ text, table }) => table !== null && hasAction(text, /\balter (column )?\S+ set not null\b/),
    advice:
      'refuses rows of the previous version: use a constraint that is "not valid" once no version inserts null',
  },
  {
    breaks: ({ text }) => /^alter (table|view|type|sequence|function|index) .*\brename\b/.test(text),
    advice:
      'takes a name from the previous version: add the new one, and remove the old one in a later version',
  },
  {
    breaks: ({ text, table }) =>
      (table !== null &&
        hasAction(text, /\bdrop (column )?(?!constraint|expression)\w+/, /\balter (column )?\S+ drop\b/)) ||
      /^drop (table|view|materialized view|type|function|sequence|schema)\b/.test(text),
    advice: 'removes something that the previous version may use: remove it one version after its last use',
  },
  {
    breaks: ({ text, table, isRepeated: isBatch }) =>
      table !== null && /^(update|delete from)\b/.test(text) && !isBatch,
    advice:
      'locks all rows that it changes: change a batch and return its rows, with the comment "-- repeat", in a migration that begins with "-- in steps"',
  },
  {
    breaks: ({ text, isRepeated: isBatch, isInSteps }) =>
      isBatch && !(isInSteps && /\blimit \d+/.test(text) && /\breturning\b/.test(text)),
    advice:
      'would not end: a repeated statement needs "limit", "returning", and a migration that begins with "-- in steps"',
  },
  {
    breaks: ({ text }) =>
      /^(lock|cluster|truncate|vacuum full|reindex (?!.*concurrently)|refresh materialized view (?!concurrently))\b/.test(
        text,
      ),
    advice: 'locks the whole table',
  },
]

function tableOf(text: string, created: ReadonlySet<string>): string | null {
  for (const target of TARGETS) {
    const table = target.exec(text)?.[1]
    if (table !== undefined) return created.has(table) ? null : table
  }
  return null
}

/**
 * Finds statements that could make requests of the previous version wait or fail while a migration runs. Returns one
 * message for each of them. A statement after the comment `-- may block: <reason>` is allowed.
 */
export function checkMigration(name: string, sql: string): string[] {
  const statements = splitStatements(sql)
  const isInSteps = runsInSteps(sql)
  const created = new Set<string>()
  return statements.flatMap((statement) => {
    const text = withoutComments(statement).replace(/\s+/g, ' ').trim().toLowerCase()
    const [, table] = /^create (?:unlogged )?table (?:if not exists )?"?([\w.]+)"?/.exec(text) ?? []
    if (table !== undefined) created.add(table)
    if (commentsBefore(statement).some((comment) => EXCEPTION.test(comment))) return []
    const facts = { text, isInSteps, isRepeated: isRepeated(statement), table: tableOf(text, created) }
    return RULES.filter((rule) => rule.breaks(facts)).map(
      ({ advice }) => `${name}: "${text.slice(0, 60)}" ${advice}.`,
    )
  })
}
