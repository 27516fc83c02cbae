import { type PrintJobStatus, UNFINISHED_PRINT_JOB_STATUSES } from '@pegasus/contracts/statuses'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type Cursor, type Page, decodeCursor, toPage } from '../../../platform/http/paging.ts'
import {
  type PrintJobRow,
  type TransitionRow,
  countBin,
  countJobs,
  findJobRow,
  listBin,
  listFinished,
  listQueue,
  listTransitions,
} from './job-list.queries.ts'

export interface PrintQueue {
  /**
   * What is to be done, in the order in which it is to be done; of a finished status, the latest first; of the bin,
   * what got there last. `cursor` is as the list of that order gave it out. Throws INVALID_INPUT for another one.
   */
  list(query: {
    status?: PrintJobStatus | undefined
    /** Jobs that bring more of this item. */
    itemId?: string | undefined
    /** Of the bin, what got there after this moment, instead of the queue. */
    inBinSince?: Date | undefined
    cursor?: string | undefined
    limit: number
  }): Promise<Page<PrintJobRow>>
  /** Throws PRINT_JOB_NOT_FOUND. */
  get(id: string): Promise<PrintJobRow>
  /** What became of a job, the latest first. Throws PRINT_JOB_NOT_FOUND. */
  history(id: string): Promise<TransitionRow[]>
}

const isUnfinished = (status: PrintJobStatus): boolean =>
  (UNFINISHED_PRINT_JOB_STATUSES as readonly PrintJobStatus[]).includes(status)

const queueCursor = (row: PrintJobRow): Cursor => ({
  createdAt: row.created_at,
  id: row.id,
  ranks: [row.priority, row.position],
})

/** One rank more than of what is finished, so that neither list takes the other's places. */
const binCursor = (row: PrintJobRow): Cursor => ({
  createdAt: row.deleted_at ?? row.created_at,
  id: row.id,
  ranks: [0],
})

const finishedCursor = (row: PrintJobRow): Cursor => ({
  createdAt: row.finished_at ?? row.created_at,
  id: row.id,
})

export function createPrintQueue({ database: { sql } }: { database: Database }): PrintQueue {
  const get = async (id: string): Promise<PrintJobRow> => {
    const row = await findJobRow(sql, id)
    if (!row) throw new AppError('PRINT_JOB_NOT_FOUND')
    return row
  }

  return {
    async list({ status, itemId, inBinSince, limit, cursor: text }) {
      if (inBinSince) {
        const filter = { since: inBinSince, status, itemId }
        const page = { cursor: decodeCursor(text, 1), limit }
        const [rows, total] = await Promise.all([listBin(sql, filter, page), countBin(sql, filter)])
        return toPage(rows, limit, total, binCursor)
      }
      const filter = { statuses: status ? [status] : UNFINISHED_PRINT_JOB_STATUSES, itemId }
      const isQueue = status === undefined || isUnfinished(status)
      const cursor = decodeCursor(text, isQueue ? 2 : 0)
      const [rows, total] = await Promise.all([
        (isQueue ? listQueue : listFinished)(sql, filter, { cursor, limit }),
        countJobs(sql, filter),
      ])
      return toPage(rows, limit, total, isQueue ? queueCursor : finishedCursor)
    },

    get,

    async history(id) {
      await get(id)
      return listTransitions(sql, id)
    },
  }
}
