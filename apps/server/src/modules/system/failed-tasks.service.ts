import { MAX_FAILED_TASKS, type FailedTask } from '@pegasus/contracts/system'
import type { AuditContext } from '../../platform/actor.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Tasks } from '../../platform/tasks/tasks.ts'
import { writeAudit } from '../audit/index.ts'

const ERROR_MAX_LENGTH = 500

/** The failed background tasks, which wait for the decision of an administrator. */
export interface FailedTasks {
  /** Lists the background tasks that gave up, and those that fail repeatedly. */
  list(): Promise<FailedTask[]>
  /** Tries a task again. Throws TASK_NOT_FOUND, also if another administrator has already decided about it. */
  retry(id: string, by: AuditContext): Promise<{ is_started: boolean }>
  /** Removes a task that gave up from the list. Throws TASK_NOT_FOUND. */
  dismiss(id: string, by: AuditContext): Promise<void>
}

/** Creates the service for failed tasks. The audit records each decision. */
export function createFailedTasks({ database, tasks }: { database: Database; tasks: Tasks }): FailedTasks {
  const record = (
    tx: Queryable,
    action: 'task.retried' | 'task.dismissed',
    { id, queue }: { id: string; queue: string },
    by: AuditContext,
  ) =>
    writeAudit(tx, { action, entity: 'system', entityId: null, entityName: queue, after: { task: id } }, by)

  return {
    async list() {
      const failed = await tasks.listFailed(database.sql, MAX_FAILED_TASKS)
      return failed.map(({ subject, error, ...task }) => ({
        ...task,
        subject: subject?.name ?? null,
        subject_path: subject?.path ?? null,
        error: inOneLine(error.message),
      }))
    },

    async retry(id, by) {
      const retried = await database.transaction(async (tx) => {
        const found = await tasks.retryFailed(tx, id)
        if (!found) throw new AppError('TASK_NOT_FOUND')
        await record(tx, 'task.retried', { id, queue: found.queue }, by)
        return found
      })
      tasks.wake(retried.queue)
      return { is_started: retried.isStarted }
    },

    dismiss: (id, by) =>
      database.transaction(async (tx) => {
        const queue = await tasks.dismissFailed(tx, id)
        if (queue === null) throw new AppError('TASK_NOT_FOUND')
        await record(tx, 'task.dismissed', { id, queue }, by)
      }),
  }
}

const inOneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ERROR_MAX_LENGTH) || 'unknown'
