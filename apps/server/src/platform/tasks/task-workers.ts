import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Queryable } from '../database/database.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { AppError } from '../errors/app-error.ts'
import { StorageUnavailableError } from '../storage/object-storage.ts'
import { errorOf, keepFailed } from './failed-tasks.ts'
import { failedQueueOf, SCHEMA } from './task-queues.ts'
import type { TaskDefinition } from './task-definition.ts'
import { endsWithin } from '../ends-within.ts'
import { trace } from '../tracing/tracing.ts'

/** The loops of this process that fetch tasks and run them. */
export interface TaskWorkers {
  /** Makes the loop of a queue fetch its next task at once. */
  wake(name: string): void
  /**
   * Stops fetching tasks. Waits up to `graceMs` for running tasks, then aborts their signals and waits as long again. A
   * task that fails in this time runs again later, and its failed attempt is not counted.
   */
  drain(graceMs: number): Promise<void>
}

// Notifications wake the loops. Polling finds retries that are due, and tasks whose notification was lost.
const POLLING = { includeMetadata: true, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 } as const

/**
 * For how long a task is postponed when the storage is unreachable, and after how many minutes this counts as a
 * failure.
 */
const STORAGE_PAUSE_SECONDS = 10
const STORAGE_WAIT_MINUTES = 60

type Job = JobWithMetadata<object>

interface Surroundings {
  sql: Queryable
  log: ServiceLog
  stop: StopSignal
}

/**
 * The two steps of a stop. First `isStopping` is set, and failures are no longer counted. Then `abort` ends running
 * work.
 */
interface StopSignal {
  isStopping: boolean
  abort: AbortController
}

/** Starts the loops of all definitions. */
export async function startWorkers(
  boss: PgBoss,
  definitions: readonly TaskDefinition<object>[],
  deps: { sql: Queryable; log: ServiceLog },
): Promise<TaskWorkers> {
  const { log } = deps
  const stop: StopSignal = { isStopping: false, abort: new AbortController() }
  const around = { ...deps, stop }
  const loops = new Map<string, string[]>()
  for (const definition of definitions) {
    const { name, concurrency = 1 } = definition
    const ids = Array.from({ length: concurrency }, () =>
      startLoop(boss, name, (job) => traceTask(name, job, () => runTask(definition, job, around))),
    )
    loops.set(name, await Promise.all(ids))
    await startLoop(boss, failedQueueOf(name), (job) => handleFailure(definition, job, deps))
  }
  return {
    wake(name) {
      for (const id of loops.get(name) ?? []) boss.notifyWorker(id)
    },
    async drain(graceMs) {
      stop.isStopping = true
      const names = definitions.flatMap(({ name }) => [name, failedQueueOf(name)])
      const ended = Promise.all(names.map((name) => boss.offWork(name, { wait: true })))
      if (await endsWithin(ended, graceMs)) return
      log.info('a stop does not wait any longer for background tasks; they run again')
      stop.abort.abort(new Error('The product stops.'))
      await endsWithin(ended, graceMs)
    },
  }
}

async function startLoop(boss: PgBoss, queue: string, run: (job: Job) => Promise<void>): Promise<string> {
  const id = await boss.work(queue, POLLING, async ([job]: Job[]) => {
    // Fetch the next task at once, because the loop would otherwise pause after each task.
    boss.notifyWorker(id)
    if (job) await run(job)
  })
  return id
}

/** Runs an attempt of a task. Each attempt is recorded as a trace of its own. */
const traceTask = (name: string, job: Job, run: () => Promise<void>): Promise<void> =>
  trace(
    {
      name: `task ${name}`,
      kind: 'consumer',
      parent: 'none',
      attributes: { 'pegasus.task.id': job.id, 'pegasus.task.attempt': job.retryCount + 1 },
    },
    run,
  )

async function runTask(
  definition: TaskDefinition<object>,
  job: Job,
  { sql, log, stop }: Surroundings,
): Promise<void> {
  const attempt = job.retryCount + 1
  const signal = AbortSignal.any([job.signal, stop.abort.signal])
  try {
    await definition.run(job.data, { signal, attempt, log })
  } catch (error) {
    if (stop.isStopping) {
      await putBack(sql, job)
      return
    }
    if (isOutage(error) && (await postpone(sql, job))) {
      log.warn(
        { err: error, task: definition.name, taskId: job.id },
        'a background task waits for the storage or the malware scanner',
      )
      return
    }
    log.warn(
      { err: error, task: definition.name, taskId: job.id, attempt },
      'an attempt of a background task failed',
    )
    throw error
  }
}

/** Returns a task to its queue as if it had never been fetched. So repeated restarts cannot use up its attempts. */
async function putBack(sql: Queryable, job: Job): Promise<void> {
  await sql`
    update ${sql(SCHEMA)}.job set state = 'retry', start_after = now(), started_on = null, heartbeat_on = null
    where name = ${job.name} and id = ${job.id} and state = 'active'`
}

async function handleFailure(
  definition: TaskDefinition<object>,
  job: JobWithMetadata<object>,
  { sql, log }: { sql: Queryable; log: ServiceLog },
) {
  const error = errorOf(job.sourceOutput)
  log.error({ err: error, task: definition.name, taskId: job.sourceId }, 'a background task failed for good')
  if (job.sourceId) await keepFailed(sql, definition.name, job.sourceId)
  await definition.onFailed?.(job.data, error)
}

/** Whether the storage or the malware scanner is unreachable. */
const isOutage = (error: unknown): boolean =>
  error instanceof StorageUnavailableError ||
  (error instanceof AppError && error.code === 'SCANNER_UNAVAILABLE')

/**
 * Postpones a task if the storage or the malware scanner is unreachable. For an hour, this does not count as a failed
 * attempt, because the task is not the cause. Returns whether the task was postponed.
 */
async function postpone(sql: Queryable, job: Job): Promise<boolean> {
  const postponed = await sql`
    update ${sql(SCHEMA)}.job
    set state = 'retry', start_after = now() + ${STORAGE_PAUSE_SECONDS} * interval '1 second',
        started_on = null, heartbeat_on = null
    where name = ${job.name} and id = ${job.id} and state = 'active'
      and created_on > now() - ${STORAGE_WAIT_MINUTES} * interval '1 minute'
    returning id`
  return postponed.length > 0
}
