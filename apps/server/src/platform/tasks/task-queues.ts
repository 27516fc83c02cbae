import type { PgBoss } from 'pg-boss'
import type { TaskDefinition } from './task-definition.ts'

export const SCHEMA = 'pgboss'

const DAY_SECONDS = 24 * 60 * 60
// The longest time between two heartbeats of a running task. They are checked every 10 s. So if its process is killed,
// a task runs again within 45 s.
const HEARTBEAT_SECONDS = 30
const MAX_RETRY_PAUSE_SECONDS = 60
/** How long a permanently failed task is kept, so that a person can try it again. */
export const FAILED_KEPT_SECONDS = 7 * DAY_SECONDS

/** Returns the name of the queue to which permanently failed tasks are moved, in the same statement that fails them. */
export function failedQueueOf(name: string): string {
  return `${name}.failed`
}

/** Creates the queues of the definitions, and updates queues that an earlier version created. */
export async function createQueues(
  boss: PgBoss,
  definitions: readonly TaskDefinition<object>[],
): Promise<void> {
  const found = new Map((await boss.getQueues()).map((queue) => [queue.name, { ...queue }] as const))
  const ensure = async (name: string, options: QueueOptions): Promise<void> => {
    const queue = found.get(name)
    if (!queue) return boss.createQueue(name, options)
    const { policy: _fixedAtCreation, ...changeable } = options
    // Usually nothing has changed. Updating every queue would make each start considerably slower.
    if (!hasValues(queue, changeable)) await boss.updateQueue(name, changeable)
  }
  for (const definition of definitions) {
    const failedQueue = failedQueueOf(definition.name)
    await ensure(failedQueue, { ...queueOptions(60, 20), policy: 'standard' })
    const options = queueOptions(definition.deadlineSeconds, definition.retryLimit)
    await ensure(definition.name, { ...options, policy: 'short', deadLetter: failedQueue })
  }
}

const hasValues = (row: Readonly<Record<string, unknown>>, values: object): boolean =>
  Object.entries(values).every(([name, value]) => row[name] === value)

type QueueOptions = NonNullable<Parameters<PgBoss['createQueue']>[1]>

function queueOptions(deadlineSeconds: number, retryLimit: number) {
  return {
    expireInSeconds: deadlineSeconds,
    retryLimit,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: MAX_RETRY_PAUSE_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retentionSeconds: 14 * DAY_SECONDS,
    deleteAfterSeconds: DAY_SECONDS,
    notify: true,
  }
}
