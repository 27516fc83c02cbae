import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { ADVISORY_LOCKS, withAdvisoryLock } from '../database/advisory-lock.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { bossDatabase, bossTransaction } from './boss-adapter.ts'
import {
  type FailedTask,
  type FailedRow,
  deleteTask,
  errorForPeople,
  listFailedRows,
  lockFailedRow,
  makeDue,
} from './failed-tasks.ts'
import type { TaskDefinition } from './task-definition.ts'
import { createQueues, failedQueueOf, SCHEMA } from './task-queues.ts'
import { startWorkers, type TaskWorkers } from './task-workers.ts'
import { throttleLog } from '../log/throttled-log.ts'

/**
 * Returns the data of unfinished work that has no task. Leaves out work whose task has ended since it was listed,
 * because that work may be done.
 */
async function findMissingTasks(
  sql: Queryable,
  { name, listOpen }: TaskDefinition<object>,
): Promise<object[]> {
  const [listed] = await sql<{ at: Date }[]>`select clock_timestamp() as at`
  const open = (await listOpen?.()) ?? []
  if (open.length === 0 || !listed) return []
  // Ignore waiting tasks that have expired, because pg-boss is about to drop them. Count failed tasks whose failure is
  // not reported yet.
  const rows = await sql<{ data: object }[]>`
    select open.data from jsonb_array_elements(${sql.json(open)}::jsonb) as open (data)
    where not exists (
      select 1 from ${sql(SCHEMA)}.job
      where job.data = open.data and job.name in (${name}, ${failedQueueOf(name)})
        and (job.state < 'completed' and job.keep_until > now() or job.completed_on >= ${listed.at}))`
  return rows.map(({ data }) => data)
}

export type { FailedTask } from './failed-tasks.ts'
export type { TaskContext, TaskDefinition, TaskSubject } from './task-definition.ts'

export interface EnqueueOptions {
  /**
   * Only one task of a kind can wait with the same key, also while a task with this key is running. A key consists of
   * letters, digits, `.`, `_`, `-` and `/`.
   */
  singletonKey?: string
  /** Tasks with a higher priority run first. The default is 0. */
  priority?: number
}

export interface Tasks {
  /** Registers a kind of work. Call this before `prepare` and `start`. */
  register<T extends object>(definition: TaskDefinition<T>): void
  /** Prepares the database, so that `enqueue` works. `start` does this, too. */
  prepare(): Promise<void>
  /**
   * Writes the task as a row, in the caller's transaction. The task runs if and only if the transaction
   * commits.
   */
  enqueue(tx: Queryable, name: string, data: object, options?: EnqueueOptions): Promise<void>
  /** Creates missing tasks for unfinished work, and starts to run tasks in this process. */
  start(): Promise<void>
  /** Makes this process look for tasks of this kind at once. The commit of a new task also wakes all processes. */
  wake(name: string): void
  /**
   * Lists tasks that gave up or fail repeatedly. Those that gave up come first, the newest failures before older ones.
   */
  listFailed(sql: Queryable, limit: number): Promise<FailedTask[]>
  /**
   * Tries a failed task again, in the caller's transaction. A task that gave up gets a new task, and a waiting task
   * becomes due now. Concurrent calls have this effect only once. Returns null if there is no such task. If the work is
   * done or no longer wanted, removes the failed task and returns `isStarted: false`.
   */
  retryFailed(tx: Queryable, id: string): Promise<{ queue: string; isStarted: boolean } | null>
  /** Removes a task that gave up from the list. Returns its queue, or null if there is no such task. */
  dismissFailed(tx: Queryable, id: string): Promise<string | null>
  /** Waits up to 5 s for running tasks, then aborts them. Aborted tasks run again later or in another process. */
  stop(): Promise<void>
}

const STOP_GRACE_MS = 5_000
const MAX_ENQUEUE_TRIES = 5
/** How many missing tasks one statement creates. With this number, a hundred thousand tasks take only seconds. */
const TASKS_AT_ONCE = 1000

/**
 * Creates the registry of background tasks. Tasks are rows in the database, and every process that has called
 * `start` runs them.
 */
export function createTasks(options: { database: Database; log: ServiceLog }): Tasks {
  const { database, log } = options
  const definitions = new Map<string, TaskDefinition<object>>()
  const boss = createBoss(database, log)
  let prepared: Promise<void> | undefined
  let workers: TaskWorkers | undefined

  const prepare = (): Promise<void> => {
    prepared ??= prepareSchema(database, [...definitions.values()])
    return prepared
  }

  return {
    register(definition) {
      if (prepared) throw new Error(`The task ${definition.name} is registered too late.`)
      if (definitions.has(definition.name))
        throw new Error(`The task ${definition.name} is registered twice.`)
      // Only `enqueue` creates tasks of this name, so their data always has the type of the definition.
      definitions.set(definition.name, definition as unknown as TaskDefinition<object>)
    },
    prepare,
    async enqueue(tx, name, data, enqueueOptions = {}) {
      if (!definitions.has(name)) throw new Error(`There is no task ${name}.`)
      await enqueueOnce(boss, tx, name, data, enqueueOptions)
    },
    async start() {
      await prepare()
      await enqueueMissing(database, boss, [...definitions.values()])
      await boss.start()
      workers = await startWorkers(boss, [...definitions.values()], { sql: database.sql, log })
    },
    wake: (name) => workers?.wake(name),
    async listFailed(sql, limit) {
      const rows = await listFailedRows(sql, [...definitions.keys()], limit)
      return Promise.all(rows.map((row) => describeFailed(sql, row, definitions.get(row.queue))))
    },
    async retryFailed(tx, id) {
      const row = await lockFailedRow(tx, [...definitions.keys()], id)
      if (!row) return null
      const { queue } = row
      if (row.state !== 'gave_up') {
        await makeDue(tx, row)
        return { queue, isStarted: true }
      }
      const definition = definitions.get(queue)
      const data = definition?.reopen ? await definition.reopen(tx, row.data) : row.data
      await deleteTask(tx, row)
      if (data === null) return { queue, isStarted: false }
      await enqueueOnce(boss, tx, queue, data, {
        priority: row.priority,
        ...(row.singleton_key !== null && { singletonKey: row.singleton_key }),
      })
      return { queue, isStarted: true }
    },
    async dismissFailed(tx, id) {
      const row = await lockFailedRow(tx, [...definitions.keys()], id)
      if (row?.state !== 'gave_up') return null
      await deleteTask(tx, row)
      return row.queue
    },
    async stop() {
      await workers?.drain(STOP_GRACE_MS)
      await boss.stop({ graceful: false })
    },
  }
}

async function describeFailed(
  sql: Queryable,
  { id, queue, state, attempts, failed_at, next_attempt_at, data, output }: FailedRow,
  definition: TaskDefinition<object> | undefined,
): Promise<FailedTask> {
  const subject = (await definition?.describe?.(sql, data)) ?? null
  return { id, queue, state, subject, attempts, failed_at, next_attempt_at, error: errorForPeople(output) }
}

function createBoss(database: Database, log: ServiceLog): PgBoss {
  const boss = new PgBoss({
    db: bossDatabase(database),
    schema: SCHEMA,
    schedule: false,
    useListenNotify: true,
    // How often missing heartbeats are detected (see `HEARTBEAT_SECONDS`).
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    // Our tasks do not depend on each other, so let pg-boss look for dependencies as seldom as possible.
    flowIntervalSeconds: 3_600,
  })
  const say = throttleLog(log)
  boss.on('error', (error) => say('error', `background tasks: ${error.message}`, { err: error }))
  boss.on('warning', (warning) =>
    say('warn', `background tasks: ${warning.message}`, { details: warning.data }),
  )
  return boss
}

/** Creates or updates the schema and the queues, one process at a time. */
async function prepareSchema(
  database: Database,
  definitions: readonly TaskDefinition<object>[],
): Promise<void> {
  await withAdvisoryLock(database.sql, ADVISORY_LOCKS.taskSchema, async () => {
    const installer = new PgBoss({
      db: bossDatabase(database),
      schema: SCHEMA,
      schedule: false,
      supervise: false,
    })
    await installer.start()
    try {
      await createQueues(installer, definitions)
    } finally {
      await installer.stop({ graceful: false })
    }
  })
}

/**
 * Enqueues missing tasks in one process at a time, so that processes that start together do not create
 * duplicates.
 */
async function enqueueMissing(
  database: Database,
  boss: PgBoss,
  definitions: readonly TaskDefinition<object>[],
): Promise<void> {
  // Use the connection of the lock, which has no statement timeout.
  await withAdvisoryLock(database.sql, ADVISORY_LOCKS.taskSchema, async (connection) => {
    const db = bossTransaction(connection)
    for (const definition of definitions) {
      const missing = await findMissingTasks(connection, definition)
      for (let at = 0; at < missing.length; at += TASKS_AT_ONCE) {
        const tasks = missing.slice(at, at + TASKS_AT_ONCE)
        await boss.insert(
          definition.name,
          tasks.map((data) => ({ data, singletonKey: randomUUID() })),
          { db },
        )
      }
    }
  })
}

async function enqueueOnce(boss: PgBoss, tx: Queryable, name: string, data: object, options: EnqueueOptions) {
  const db = bossTransaction(tx)
  // Give every task a key, because only one task without a key can wait in a queue.
  const { singletonKey = randomUUID(), priority = 0 } = options
  for (let tries = 0; tries < MAX_ENQUEUE_TRIES; tries += 1) {
    if ((await boss.send(name, data, { singletonKey, priority, db })) !== null) return
    // A task with this key is already waiting. Lock its row, so that it cannot run before our changes are committed.
    const waiting = await tx`
      select 1 from ${tx(SCHEMA)}.job
      where name = ${name} and singleton_key = ${singletonKey} and state = 'created' for update`
    if (waiting.length > 0) return
    // The waiting task has just started and may have read the old state, so try to enqueue another one.
  }
  throw new Error(`The task ${name} could not be enqueued.`)
}
