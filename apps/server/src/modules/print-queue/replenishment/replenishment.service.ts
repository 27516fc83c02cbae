import { MAX_JOB_QUANTITY, type PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { ReplenishmentLine } from '@pegasus/contracts/print-queue/replenishment'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { type Page, decodeOffset, toOffsetPage } from '../../../platform/http/paging.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import type { JobPresentation } from '../jobs/jobs.present.ts'
import { type PlateSize, planPlates, readPlateSizes, writeSentence } from '../plate-plan/plan-plates.ts'
import { queuePlannedJobs } from '../plate-plan/queue-planned-jobs.ts'
import { type LowItemRow, listLowItems, lockReplenishment } from './replenishment.queries.ts'

/** Plans print jobs for low items. */
export interface Replenishment {
  /**
   * Lists the items with a model whose free pieces are at or below their reorder point, sorted by name. Throws
   * INVALID_INPUT for a cursor that does not come from this list.
   */
  list(page: { limit: number; cursor?: string | undefined }): Promise<Page<ReplenishmentLine, string>>
  /**
   * Queues jobs for the missing pieces of low items. A repeated call queues only pieces that are still missing. Throws
   * IDEMPOTENCY_KEY_REUSED.
   */
  make(
    ids: readonly string[] | undefined,
    by: IdempotentCaller,
  ): Promise<HttpResult<{ items: ReplenishmentLine[]; jobs: PrintJob[] }>>
}

/** Returns how many of the missing pieces are queued now: at most as many as one job can have. */
export const piecesToQueue = (missing: number): number => Math.min(missing, MAX_JOB_QUANTITY)

function toLine(row: LowItemRow, size: PlateSize | undefined): ReplenishmentLine {
  const { target, missing } = row
  const now = piecesToQueue(missing)
  const plan = planPlates(now, size)
  const sum = {
    wanted: { pieces: target, what: 'wanted' },
    less: [
      { pieces: row.on_shelf, what: 'on the shelf' },
      { pieces: row.queued, what: 'queued' },
    ],
    extra: 0,
    ...(now < missing && { now }),
  }
  return {
    inventory_item_id: row.id,
    name: row.name,
    sku: row.sku,
    reorder_point: row.reorder_point,
    target,
    on_shelf: row.on_shelf,
    queued: row.queued,
    missing,
    ...plan,
    sentence: writeSentence(sum, missing, plan),
  }
}

/**
 * Returns the low items with the plates that would refill them. If `ids` is not null, only these items are returned.
 */
export async function readReplenishment(sql: Queryable, ids: readonly string[] | null) {
  const rows = await listLowItems(sql, ids)
  const sizes = await readPlateSizes(
    sql,
    rows.map(({ id }) => id),
  )
  return { sizes, items: rows.map((row) => ({ ...toLine(row, sizes.get(row.id)), ...toPicture(row) })) }
}

const toPicture = ({
  stl_file_id: modelId,
  has_picture: has,
  picture_version: pictureVersion,
  ...row
}: LowItemRow) => ({
  color_hex: row.color_hex,
  picture: has && modelId !== null ? { modelId, pictureVersion } : null,
})

export function createReplenishment(
  deps: JobPresentation & { database: Database; clock: Clock },
): Replenishment {
  const { database, clock } = deps
  return {
    async list({ limit, cursor }) {
      const offset = decodeOffset(cursor)
      const { items } = await readReplenishment(database.sql, null)
      return toOffsetPage(items.slice(offset), { offset, limit, total: items.length })
    },

    make: (ids, by) =>
      writeOnce({ database, clock }, by, ['replenishment', ids], async (tx, { audit }) => {
        await lockReplenishment(tx)
        const { items, sizes } = await readReplenishment(tx, ids ?? null)
        const planned = items
          .filter(({ missing }) => missing > 0)
          .map(({ inventory_item_id: itemId, missing }) => ({
            itemId,
            quantity: piecesToQueue(missing),
            size: sizes.get(itemId),
          }))
        const jobs = await queuePlannedJobs(tx, planned, deps, audit)
        const body = { items: (await readReplenishment(tx, ids ?? null)).items, jobs }
        return { status: jobs.length > 0 ? 201 : 200, body }
      }),
  }
}
