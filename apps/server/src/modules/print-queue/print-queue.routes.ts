import { type PrintJob, listPrintQueue } from '@pegasus/contracts/print-queue'
import { UNFINISHED_PRINT_JOB_STATUSES } from '@pegasus/contracts/statuses'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { type Cursor, decodeCursor, sendPageHeaders, toPage } from '../../platform/http/paging.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { type PrintJobRow, countJobs, isUnfinished, listFinished, listQueue } from './print-queue.queries.ts'

/** A print job in the words of the wire. */
const presentJob = (row: PrintJobRow, signer: PathSigner): PrintJob => ({
  ...row,
  stl_thumbnail_path: row.has_picture ? signer.sign(`/api/stl-files/${row.stl_file_id}/thumbnail`) : null,
})

const queueCursor = (row: PrintJobRow): Cursor => ({
  createdAt: row.created_at,
  id: row.id,
  ranks: [row.priority, row.position],
})

const finishedCursor = (row: PrintJobRow): Cursor => ({
  createdAt: row.finished_at ?? row.created_at,
  id: row.id,
})

export function addPrintQueueRoutes(
  endpoints: Endpoints,
  deps: { database: Database; signer: PathSigner },
): void {
  const { sql } = deps.database

  endpoints.add(listPrintQueue, async ({ query, request, reply }) => {
    const { status, limit } = query
    const statuses = status ? [status] : UNFINISHED_PRINT_JOB_STATUSES
    const isQueue = status === undefined || isUnfinished(status)
    const cursor = decodeCursor(query.cursor, isQueue ? 2 : 0)
    const [rows, total] = await Promise.all([
      isQueue ? listQueue(sql, statuses, { cursor, limit }) : listFinished(sql, status, { cursor, limit }),
      countJobs(sql, statuses),
    ])
    const page = toPage(rows, limit, total, isQueue ? queueCursor : finishedCursor)
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentJob(row, deps.signer))
  })
}
