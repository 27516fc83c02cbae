import type { Slice, UpdateSliceBody } from '@pegasus/contracts/slices/slices'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { updateRevised } from '../../../platform/database/write-rows.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { removeSliceObject } from '../upload/slice-objects.ts'
import { presentSlice } from './slices.present.ts'
import {
  findSlice,
  isModelThere,
  listSlices,
  lockSlice,
  purgeSlices,
  type SliceRow,
  updateSlice,
} from './slices.queries.ts'

/** Number of rows that are purged in one hour. The others wait for the next run. */
const MAX_AT_ONCE = 1000

/** Identifies a slice within its model, in the same way as its address. */
export interface SliceRef {
  id: string
  slice_id: string
}

/** The sliced files of models. */
export interface Slices {
  /** Lists slices, newest first: either those in the trash or the live ones. Throws MODEL_NOT_FOUND. */
  list(modelId: string, isDeleted: boolean): Promise<Slice[]>
  /** Returns a live slice. Throws SLICE_NOT_FOUND. */
  get(ref: SliceRef): Promise<SliceRow>
  /** Checks that a model exists. Throws MODEL_NOT_FOUND. */
  assertModel(modelId: string): Promise<void>
  /** Changes a slice. A null revision accepts any revision. Throws SLICE_NOT_FOUND or PRECONDITION_FAILED. */
  update(ref: SliceRef, change: UpdateSliceBody, revision: number | null, by: AuditContext): Promise<Slice>
  /** Moves a slice to the trash. Throws SLICE_NOT_FOUND or PRECONDITION_FAILED. */
  remove(ref: SliceRef, revision: number | null, by: AuditContext): Promise<void>
  /**
   * Restores a slice. Throws SLICE_NOT_FOUND, or SLICE_EXISTS if the same file has been uploaded again for
   * the version.
   */
  restore(ref: SliceRef, by: AuditContext): Promise<Slice>
  /**
   * Permanently removes slices that have been in the trash for 30 days and were never printed. Returns the number of
   * removed slices. Runs hourly.
   */
  purge(): Promise<number>
}

export function createSlices(deps: {
  database: Database
  storage: ObjectStorage
  clock: Clock
  signer: PathSigner
}): Slices {
  const { database, clock, signer } = deps

  const getLive = async (sql: Queryable, { id, slice_id }: SliceRef): Promise<SliceRow> => {
    const row = await findSlice(sql, id, slice_id)
    if (!row || row.deleted_at !== null) throw new AppError('SLICE_NOT_FOUND')
    return row
  }

  const lockLive = async (tx: Queryable, ref: SliceRef, revision: number | null): Promise<SliceRow> => {
    await lockSlice(tx, ref.slice_id)
    const row = await getLive(tx, ref)
    assertRevision(revision, row, () => presentSlice(row, signer))
    return row
  }

  const eventOf = (row: SliceRow) =>
    ({ entity: 'slice', entityId: row.id, entityName: row.file_name }) as const

  const assertModel = async (modelId: string): Promise<void> => {
    if (!(await isModelThere(database.sql, modelId))) throw new AppError('MODEL_NOT_FOUND')
  }

  return {
    assertModel,

    async list(modelId, isDeleted) {
      await assertModel(modelId)
      return (await listSlices(database.sql, modelId, isDeleted)).map((row) => presentSlice(row, signer))
    },

    get: (ref) => getLive(database.sql, ref),

    update: (ref, change, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, ref, revision)
        const before = { pieces: row.pieces, printer_model: row.printer_model, nozzle_mm: row.nozzle_mm }
        const after = {
          pieces: change.pieces ?? before.pieces,
          printer_model: change.printer_model === undefined ? before.printer_model : change.printer_model,
          nozzle_mm: change.nozzle_mm === undefined ? before.nozzle_mm : change.nozzle_mm,
        }
        const { pieces, printer_model: printerModel, nozzle_mm: nozzleMm } = after
        await updateSlice(tx, row.id, { pieces, printerModel, nozzleMm, now: by.now })
        await writeAudit(tx, { action: 'slice.updated', ...eventOf(row), before, after }, by)
        await publish(tx, { type: 'updated', entity: 'slice', id: row.id })
        return presentSlice(await getLive(tx, ref), signer)
      }),

    remove: (ref, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, ref, revision)
        await updateRevised(tx, 'sliced_files', row.id, { deleted_at: by.now }, by.now)
        await writeAudit(tx, { action: 'slice.deleted', ...eventOf(row) }, by)
        await publish(tx, { type: 'deleted', entity: 'slice', id: row.id })
      }),

    restore: (ref, by) =>
      database.transaction(async (tx) => {
        await lockSlice(tx, ref.slice_id)
        const row = await findSlice(tx, ref.id, ref.slice_id)
        if (!row) throw new AppError('SLICE_NOT_FOUND')
        if (row.deleted_at === null) return presentSlice(row, signer)
        await updateRevised(tx, 'sliced_files', row.id, { deleted_at: null }, by.now)
        await writeAudit(tx, { action: 'slice.restored', ...eventOf(row) }, by)
        await publish(tx, { type: 'created', entity: 'slice', id: row.id })
        return presentSlice(await getLive(tx, ref), signer)
      }),

    async purge() {
      const rows = await purgeSlices(database.sql, trashCutoff(clock.now()), MAX_AT_ONCE)
      const keys = new Set(rows.flatMap(({ object_key, picture_key }) => [object_key, picture_key]))
      // Bytes to which another row refers stay. If the server crashes here, the hourly cleanup removes the rest.
      for (const key of keys) if (key !== null) await removeSliceObject(deps, key).catch(() => false)
      return rows.length
    },
  }
}
