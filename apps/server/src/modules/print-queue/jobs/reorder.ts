import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import {
  type QueuePosition,
  findQueuePosition,
  findPositionBefore,
  lockOrder,
  lockQueuePosition,
  setJobPosition,
  spreadOut,
} from './jobs.queries.ts'
import { findJobRow } from './job-list.queries.ts'

/** Thrown if there is no free position between two neighbors. */
class NoGap extends Error {}

const AT_THE_FRONT = 1024

/** Returns a position between two neighbors. Throws NoGap. */
function placeBetween(moved: QueuePosition, previous: QueuePosition | null, next: QueuePosition | null) {
  const least = previous?.priority ?? 0
  const most = next?.priority ?? Number.MAX_SAFE_INTEGER
  const priority = Math.min(Math.max(moved.priority, least), most)
  const low = previous?.priority === priority ? previous.position : null
  const high = next?.priority === priority ? next.position : null
  if (high === null) return { priority, position: null }
  if (low === null) return { priority, position: high - AT_THE_FRONT }
  if (high - low < 2) throw new NoGap()
  return { priority, position: Math.floor((low + high) / 2) }
}

async function findUnfinished(tx: Queryable, id: string, find = findQueuePosition): Promise<QueuePosition> {
  const place = await find(tx, id)
  if (place) return place
  if (!(await findJobRow(tx, id))) throw new AppError('PRINT_JOB_NOT_FOUND')
  throw new AppError('PRINT_JOB_STATE', { text: 'A finished print job has no position in the queue.' })
}

const auditPriority = (tx: Queryable, moved: QueuePosition, priority: number, by: AuditContext) =>
  writeAudit(
    tx,
    {
      action: 'print_job.updated',
      entity: 'print_job',
      entityId: moved.id,
      entityName: moved.label_code,
      before: { priority: moved.priority },
      after: { priority },
    },
    by,
  )

/**
 * Moves a job before another job, or to the end if no other job is given. The job keeps its priority if the new
 * position allows it. Throws PRINT_JOB_NOT_FOUND or PRINT_JOB_STATE.
 */
export async function reorder(
  tx: Queryable,
  id: string,
  beforeId: string | null,
  by: AuditContext,
): Promise<void> {
  await lockOrder(tx)
  const moved = await findUnfinished(tx, id, lockQueuePosition)
  if (beforeId === id) return
  const find = async () => {
    const next = beforeId === null ? null : await findUnfinished(tx, beforeId)
    return placeBetween(moved, await findPositionBefore(tx, beforeId, id), next)
  }
  const place = await find().catch(async (error: unknown) => {
    if (!(error instanceof NoGap) || beforeId === null) throw error
    await spreadOut(tx, (await findUnfinished(tx, beforeId)).priority)
    return find()
  })
  await setJobPosition(tx, id, place, by.now)
  if (place.priority !== moved.priority) await auditPriority(tx, moved, place.priority, by)
  await publish(tx, { type: 'updated', entity: 'print_job', id })
}
