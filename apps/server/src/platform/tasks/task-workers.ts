import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { ServiceLog } from '../service-log.ts'
import { failedQueueOf } from './task-queues.ts'
import type { TaskDefinition } from './task-definition.ts'

/** The loops of this process that fetch tasks and run them. */
export interface TaskWorkers {
  wake(name: string): void
  /** Fetches no more, and waits for what runs, at most so long. */
  drain(timeoutMs: number): Promise<void>
}

// Notifications wake the loops; polling finds what is due for another attempt, and what a lost notification told.
const POLLING = { includeMetadata: true, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 } as const

type Job = JobWithMetadata<object>

/** Starts the loops of all definitions. */
export async function startWorkers(
  boss: PgBoss,
  definitions: readonly TaskDefinition<object>[],
  log: ServiceLog,
): Promise<TaskWorkers> {
  const loops = new Map<string, string[]>()
  for (const definition of definitions) {
    const { name, concurrency = 1 } = definition
    const ids = Array.from({ length: concurrency }, () =>
      startLoop(boss, name, (job) => runTask(definition, job, log)),
    )
    loops.set(name, await Promise.all(ids))
    await startLoop(boss, failedQueueOf(name), (job) => handleFailure(definition, job, log))
  }
  return {
    wake(name) {
      for (const id of loops.get(name) ?? []) boss.notifyWorker(id)
    },
    async drain(timeoutMs) {
      const names = definitions.flatMap(({ name }) => [name, failedQueueOf(name)])
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, timeoutMs)
      await Promise.race([Promise.all(names.map((name) => boss.offWork(name, { wait: true }))), late.promise])
      clearTimeout(timer)
    },
  }
}

async function startLoop(boss: PgBoss, queue: string, run: (job: Job) => Promise<void>): Promise<string> {
  const id = await boss.work(queue, POLLING, async ([job]: Job[]) => {
    // Whoever found a task looks for the next one at once; otherwise each would cost a pause.
    boss.notifyWorker(id)
    if (job) await run(job)
  })
  return id
}

async function runTask(
  definition: TaskDefinition<object>,
  job: JobWithMetadata<object>,
  log: ServiceLog,
): Promise<void> {
  const attempt = job.retryCount + 1
  try {
    await definition.run(job.data, { signal: job.signal, attempt, log })
  } catch (error) {
    log.warn(
      { err: error, task: definition.name, taskId: job.id, attempt },
      'an attempt of a background task failed',
    )
    throw error
  }
}

async function handleFailure(
  definition: TaskDefinition<object>,
  job: JobWithMetadata<object>,
  log: ServiceLog,
) {
  const error = errorOf(job.sourceOutput)
  log.error({ err: error, task: definition.name, taskId: job.sourceId }, 'a background task failed for good')
  await definition.onFailed?.(job.data, error)
}

/** What failed is kept as plain data: the thrown error, or a sentence about a deadline or a lost process. */
function errorOf(output: unknown): Error {
  const kept = typeof output === 'object' && output !== null ? output : {}
  const inner = 'value' in kept && typeof kept.value === 'object' && kept.value !== null ? kept.value : kept
  const message = 'message' in inner ? String(inner.message) : 'unknown'
  const error = new Error(message)
  if ('name' in inner) error.name = String(inner.name)
  if ('code' in inner) Object.assign(error, { code: inner.code })
  return error
}
