import { type Plate, isRunningPlate } from '@pegasus/contracts/print-queue/plates'
import { type PrintJobStatus, UNFINISHED_PRINT_JOB_STATUSES } from '@pegasus/contracts/statuses'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { orThrow } from '../../../platform/errors/app-error.ts'
import { type Cursor, type Page, decodeCursor, toPage } from '../../../platform/http/paging.ts'
import { withWaits } from '../matching/waits-for.ts'
import { listShownPlates } from '../plates/plate-list.queries.ts'
import { findUnsuppliedGrams, readPlateTools } from '../plates/used-by-tool.ts'
import {
  type ListedJob,
  type PrintJobRow,
  type TransitionRow,
  countTrash,
  countJobs,
  findJobRow,
  listTrash,
  listFinished,
  listQueue,
  listTransitions,
} from './job-list.queries.ts'

export interface PrintQueue {
  /**
   * Lists unfinished jobs in queue order, finished jobs with the latest first, or the trash with the latest deletion
   * first. `cursor` must come from a list in the same order, otherwise the call throws INVALID_INPUT.
   */
  list(query: {
    status?: PrintJobStatus | undefined
    /** Only jobs whose pieces go into the stock of this item. */
    itemId?: string | undefined
    /** Only jobs that finished after this time and for which no new attempt was queued. */
    unresolvedSince?: string | undefined
    /** If given, lists the jobs that were deleted after this time. Otherwise, jobs outside the trash are listed. */
    inTrashSince?: Date | undefined
    cursor?: string | undefined
    limit: number
  }): Promise<Page<PrintJobRow>>
  /** Returns one job. Throws PRINT_JOB_NOT_FOUND. */
  get(id: string): Promise<PrintJobRow>
  /** Returns the transitions of a job, latest first. Throws PRINT_JOB_NOT_FOUND. */
  history(id: string): Promise<TransitionRow[]>
  /** Returns the plates of a job, sorted by number. Throws PRINT_JOB_NOT_FOUND. */
  plates(id: string): Promise<Plate[]>
}

const isUnfinished = (status: PrintJobStatus): boolean =>
  (UNFINISHED_PRINT_JOB_STATUSES as readonly PrintJobStatus[]).includes(status)

const queueCursor = (row: ListedJob): Cursor => ({
  createdAt: row.created_at,
  id: row.id,
  ranks: [row.priority, row.position],
})

/**
 * Creates a cursor for the trash. It has one more sort key than a cursor of the finished jobs. So the list of finished
 * jobs refuses it, and the trash refuses cursors of that list.
 */
const trashCursor = (row: ListedJob): Cursor => ({
  createdAt: row.deleted_at ?? row.created_at,
  id: row.id,
  ranks: [0],
})

const finishedCursor = (row: ListedJob): Cursor => ({
  createdAt: row.finished_at ?? row.created_at,
  id: row.id,
})

export function createPrintQueue({
  database: { sql },
  clock,
}: {
  database: Database
  clock: Clock
}): PrintQueue {
  const get = async (id: string) => orThrow(await findJobRow(sql, id), 'PRINT_JOB_NOT_FOUND')

  return {
    async list({ status, itemId, unresolvedSince, inTrashSince, limit, cursor: text }) {
      if (inTrashSince) {
        const filter = { since: inTrashSince, status, itemId }
        const asked = { cursor: decodeCursor(text, 1), limit }
        const [rows, total] = await Promise.all([listTrash(sql, filter, asked), countTrash(sql, filter)])
        const page = toPage(rows, limit, total, trashCursor)
        return { ...page, items: await withWaits(sql, page.items) }
      }
      const filter = { status, itemId, unresolvedSince }
      const isQueue = status === undefined || isUnfinished(status)
      const cursor = decodeCursor(text, isQueue ? 2 : 0)
      const [rows, total] = await Promise.all([
        (isQueue ? listQueue : listFinished)(sql, filter, { cursor, limit }),
        countJobs(sql, filter),
      ])
      const page = toPage(rows, limit, total, isQueue ? queueCursor : finishedCursor)
      return { ...page, items: await withWaits(sql, page.items) }
    },

    get,

    async history(id) {
      await get(id)
      return listTransitions(sql, id)
    },

    async plates(id) {
      await get(id)
      const plates: Plate[] = []
      for (const plate of await listShownPlates(sql, id, clock.now())) {
        const isRunning = isRunningPlate(plate.state)
        plates.push({
          ...plate,
          unsupplied_grams: isRunning ? await findUnsuppliedGrams(sql, plate) : 0,
          tools: isRunning ? await readPlateTools(sql, plate.id) : [],
        })
      }
      return plates
    },
  }
}
