import type { Queryable } from '../database/database.ts'
import type { TaskDefinition } from './task-definition.ts'
import { failedQueueOf, SCHEMA } from './task-queues.ts'
import { json } from '../database/write-rows.ts'

/** Work of a definition that is still to be done and that no task stands for any more. */
export async function findMissingTasks(
  sql: Queryable,
  { name, listOpen }: TaskDefinition<object>,
): Promise<object[]> {
  const open = (await listOpen?.()) ?? []
  if (open.length === 0) return []
  // One whose time to wait is over is about to be thrown away. One that failed is still to be told.
  const rows = await sql<{ data: object }[]>`
    select open.data from jsonb_array_elements(${json(sql, open)}::jsonb) as open (data)
    where not exists (
      select 1 from ${sql(SCHEMA)}.job
      where job.data = open.data and job.name in (${name}, ${failedQueueOf(name)}) and job.state < 'completed'
        and job.keep_until > now())`
  return rows.map(({ data }) => data)
}
