import type { Queryable } from '../database/database.ts'
import type { TaskDefinition } from './task-definition.ts'
import { failedQueueOf, SCHEMA } from './task-queues.ts'

/** Open work of a definition that has no task any more. */
export async function findMissingTasks(
  sql: Queryable,
  { name, listOpen }: TaskDefinition<object>,
): Promise<object[]> {
  const open = (await listOpen?.()) ?? []
  if (open.length === 0) return []
  // A task whose waiting time is over is about to be dropped. A failed one still has to be reported.
  const rows = await sql<{ data: object }[]>`
    select open.data from jsonb_array_elements(${sql.json(open)}::jsonb) as open (data)
    where not exists (
      select 1 from ${sql(SCHEMA)}.job
      where job.data = open.data and job.name in (${name}, ${failedQueueOf(name)}) and job.state < 'completed'
        and job.keep_until > now())`
  return rows.map(({ data }) => data)
}
