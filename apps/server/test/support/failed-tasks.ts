import type { FailedTask } from '@pegasus/contracts/system'
import { expect } from 'vitest'
import type { TestApp } from './build-test-app.ts'

type Headers = { authorization: string }

/** Returns the failed tasks that the server lists for this caller. */
export const listFailedTasks = async (app: TestApp, headers: Headers): Promise<FailedTask[]> =>
  (await app.http.inject({ url: '/api/system/failed-tasks', headers })).json<{ tasks: FailedTask[] }>().tasks

/** Asks the server to try a failed task again. Returns the response. */
export const retryFailedTask = (app: TestApp, headers: Headers, id: string) =>
  app.http.inject({ method: 'POST', url: `/api/system/failed-tasks/${id}/retry`, headers })

/** Makes the tasks of a queue give up after their first failure. */
export async function giveUpAtOnce(app: TestApp, queue: string): Promise<void> {
  await app.database.sql`update pgboss.queue set retry_limit = 0 where name = ${queue}`
}

/** Makes the next `times` inserts or updates of a table fail in the database. */
export async function failWrites(
  app: TestApp,
  { table, of, times }: { table: string; of: 'insert' | 'update'; times: number },
): Promise<void> {
  await app.database.sql.unsafe(`
    create sequence failed_writes;
    create function fail_write() returns trigger language plpgsql as $$ begin
      if nextval('failed_writes') <= ${times} then raise exception 'the disk is broken'; end if;
      return new;
    end $$;
    create trigger fail_write before ${of} on ${table} for each row execute function fail_write()`)
}

/**
 * Waits until a task of the queue has given up, and lets an administrator try it again. Returns the task as it was
 * listed.
 */
export async function retryWhenGivenUp(app: TestApp, queue: string): Promise<FailedTask> {
  const admin = await app.as('admin')
  const find = async () =>
    (await listFailedTasks(app, admin)).find((task) => task.queue === queue && task.state === 'gave_up')
  await expect.poll(find, { timeout: 60_000, interval: 50 }).toBeDefined()
  const task = await find()
  if (!task) throw new Error('no failed task')
  const answer = await retryFailedTask(app, admin, task.id)
  expect([answer.statusCode, answer.body]).toEqual([200, '{"is_started":true}'])
  return task
}
