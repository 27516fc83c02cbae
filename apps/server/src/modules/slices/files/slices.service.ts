import type { Slice, UpdateSliceBody } from '@pegasus/contracts/slices/slices'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type Page, type PageRequest, mapPage, toPage } from '../../../platform/http/paging.ts'
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
  isBeingPrinted,
  isModelThere,
  joinPlatesOfFile,
  countSlices,
  listPlateIds,
  listSlices,
  lockSlice,
  purgeSlices,
  type SliceFilter,
  type SliceRow,
  updateDeletedAt,
  updatePlatesOfFile,
  updateSlice,
} from './slices.queries.ts'

/** Number of rows that are purged in one hour. The others wait for the next run. */
const MAX_AT_ONCE = 1000

/** The ids of a model and one of its slices, as in the address. */
export interface SliceRef {
  id: string
  slice_id: string
}

/** Returns the tools of a slice after the first one got a new material. A slice without tools gets one tool. */
function withMaterial({ tools, grams, metres }: SliceRow, material: string | null): SliceRow['tools'] {
  const [first = { tool: 0, color_hex: null, grams, metres }, ...others] = tools
  return [{ ...first, material }, ...others]
}

const refusePlates = (message: string): AppError =>
  new AppError('INVALID_INPUT', { text: message, errors: [{ path: 'needs_all_plates', message }] })

/**
 * Returns whether one piece needs all plates of a file after a change, or null if this is undecided. Throws
 * INVALID_INPUT if the file has only one plate.
 */
function needsAllAfter(
  { needs_all_plates: before, plates }: SliceRow,
  change: UpdateSliceBody,
): boolean | null {
  const { needs_all_plates: after = before } = change
  if (after === null || after === before || plates > 1) return after
  throw refusePlates('This file has only one plate.')
}

/** The sliced files of models. */
export interface Slices {
  /** Lists slices, newest first. Throws MODEL_NOT_FOUND. */
  list(filter: SliceFilter, page: PageRequest): Promise<Page<Slice>>
  /** Returns a live slice. Throws SLICE_NOT_FOUND. */
  get(ref: SliceRef): Promise<SliceRow>
  /** Checks that a model exists. Throws MODEL_NOT_FOUND. */
  assertModel(modelId: string): Promise<void>
  /**
   * Changes a slice, and all slices of its file if the change concerns all plates. A null revision accepts any revision.
   * Throws SLICE_NOT_FOUND, PRECONDITION_FAILED, or INVALID_INPUT if the file has one plate or is being printed.
   */
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

    async list(filter, request) {
      await assertModel(filter.modelId)
      const [rows, total] = await Promise.all([
        listSlices(database.sql, filter, request),
        countSlices(database.sql, filter),
      ])
      return mapPage(toPage(rows, request.limit, total), (row) => presentSlice(row, signer))
    },

    get: (ref) => getLive(database.sql, ref),

    update: (ref, change, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, ref, revision)
        const before = {
          needs_all_plates: row.needs_all_plates,
          pieces: row.pieces,
          printer_model: row.printer_model,
          nozzle_mm: row.nozzle_mm,
          material: row.material,
        }
        const needsAllPlates = needsAllAfter(row, change)
        const after = {
          needs_all_plates: needsAllPlates,
          pieces: change.pieces ?? before.pieces,
          printer_model: change.printer_model === undefined ? before.printer_model : change.printer_model,
          nozzle_mm: change.nozzle_mm === undefined ? before.nozzle_mm : change.nozzle_mm,
          material: change.material === undefined ? before.material : change.material,
        }
        const { printer_model: printerModel, nozzle_mm: nozzleMm, material } = after
        const tools = material === before.material ? row.tools : withMaterial(row, material)
        // If one piece needs all plates, the given number is for all plates together, so the pieces of the single plate
        // stay.
        const given = change.pieces ?? null
        const pieces = needsAllPlates ? null : given
        await updateSlice(tx, row.id, { pieces, printerModel, nozzleMm, material, tools, now: by.now })
        const isDecided = needsAllPlates !== before.needs_all_plates
        const isOfFile = isDecided || (needsAllPlates === true && given !== null)
        const others = isOfFile ? (await listPlateIds(tx, row.id)).filter((id) => id !== row.id) : []
        if (isOfFile) {
          if (isDecided && needsAllPlates && (await isBeingPrinted(tx, [row.id, ...others])))
            throw refusePlates('A plate of this file is being printed. Please decide when it has ended.')
          const ofFile = { needsAllPlates, pieces: needsAllPlates ? given : null, now: by.now }
          await updatePlatesOfFile(tx, [row.id, ...others], ofFile)
        }
        const shown = await getLive(tx, ref)
        await writeAudit(
          tx,
          { action: 'slice.updated', ...eventOf(row), before, after: { ...after, pieces: shown.pieces } },
          by,
        )
        for (const id of [row.id, ...others]) await publish(tx, { type: 'updated', entity: 'slice', id })
        return presentSlice(shown, signer)
      }),

    remove: (ref, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, ref, revision)
        // If one piece needs all plates, the other plates are useless without this one, so delete them all.
        const ids = row.needs_all_plates ? await listPlateIds(tx, row.id) : [row.id]
        await updateDeletedAt(tx, ids, { deletedAt: by.now, now: by.now })
        for (const id of ids) await publish(tx, { type: 'deleted', entity: 'slice', id })
        await writeAudit(tx, { action: 'slice.deleted', ...eventOf(row) }, by)
      }),

    restore: (ref, by) =>
      database.transaction(async (tx) => {
        await lockSlice(tx, ref.slice_id)
        const row = await findSlice(tx, ref.id, ref.slice_id)
        if (!row) throw new AppError('SLICE_NOT_FOUND')
        if (row.deleted_at === null) return presentSlice(row, signer)
        const ids = row.needs_all_plates ? await listPlateIds(tx, row.id) : [row.id]
        await updateDeletedAt(tx, ids, { deletedAt: null, now: by.now })
        for (const id of ids) await publish(tx, { type: 'created', entity: 'slice', id })
        await joinPlatesOfFile(tx, ids)
        await writeAudit(tx, { action: 'slice.restored', ...eventOf(row) }, by)
        return presentSlice(await getLive(tx, ref), signer)
      }),

    async purge() {
      const rows = await purgeSlices(database.sql, trashCutoff(clock.now()), MAX_AT_ONCE)
      const keys = new Set(rows.flatMap(({ object_key, picture_key }) => [object_key, picture_key]))
      // If another row uses the same bytes, they stay. If the server crashes here, the hourly cleanup removes the rest.
      for (const key of keys) if (key !== null) await removeSliceObject(deps, key).catch(() => false)
      return rows.length
    },
  }
}
