import type { Queryable } from '../../../src/platform/database/database.ts'
import type { Tasks } from '../../../src/platform/tasks/tasks.ts'

/** The queues that an earlier app of this process has created, as JSON. */
let knownQueues: string | null = null

/**
 * Creates the queues of the tasks. The first app of a process creates them one by one, which takes a while. The later
 * apps copy them.
 */
export async function prepareQueues(sql: Queryable, tasks: Tasks): Promise<void> {
  if (knownQueues !== null)
    await sql`
      insert into pgboss.queue select * from jsonb_populate_recordset(null::pgboss.queue, ${knownQueues}::text::jsonb)`
  await tasks.prepare()
  if (knownQueues !== null) return
  const [row] = await sql<
    [{ queues: string }]
  >`select jsonb_agg(to_jsonb(q))::text as queues from pgboss.queue q`
  knownQueues = row.queues
}

/**
 * Returns tasks whose loops start when a task is added, retried or woken. Most tests have no tasks, and the loops would
 * cost more than the rest of a short test.
 */
export function startOnDemand(tasks: Tasks): Tasks {
  let started: Promise<void> | null = null
  const start = (): Promise<void> => (started ??= tasks.start())
  const startInBackground = (): void => {
    // `stop` throws the error of a failed start.
    start().catch(() => undefined)
  }
  return {
    ...tasks,
    start,
    async enqueue(tx, name, data, options) {
      await tasks.enqueue(tx, name, data, options)
      startInBackground()
    },
    async retryFailed(tx, id) {
      const retried = await tasks.retryFailed(tx, id)
      startInBackground()
      return retried
    },
    wake(name) {
      startInBackground()
      tasks.wake(name)
    },
    async stop() {
      if (started === null) return
      await started
      await tasks.stop()
    },
  }
}
