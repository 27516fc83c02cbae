import type {
  BulkEditBody,
  BulkEditResult,
  UpdateModelBody,
} from '@pegasus/contracts/stl-library/model-changes'
import type { AuditAction } from '@pegasus/contracts/audit'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { recordChanges } from '../../audit/index.ts'
import { presentModel } from './models.present.ts'
import { type ModelRow, findModel } from './models.queries.ts'
import {
  trashModels,
  lockModels,
  readRevisions,
  restoreModels,
  updateModels,
} from './model-changes.queries.ts'
import { applyEdit, editOfBulk, fieldsOf, replacedBy } from './model-edit.ts'

/**
 * Number of models that are changed in one transaction. More would keep other people waiting, and fewer would be slow.
 */
const BATCH = 100

export interface ModelChanges {
  /**
   * Edits a model. `revision` comes from `If-Match`; null accepts any revision. Throws MODEL_NOT_FOUND or
   * PRECONDITION_FAILED.
   */
  update(id: string, edit: UpdateModelBody, revision: number | null, by: AuditContext): Promise<ModelRow>
  /** Moves a model into the trash. Throws MODEL_NOT_FOUND or PRECONDITION_FAILED. */
  remove(id: string, revision: number | null, by: AuditContext): Promise<void>
  /** Restores a model from the trash; a live model stays unchanged. Throws MODEL_NOT_FOUND. */
  restore(id: string, by: AuditContext): Promise<ModelRow>
  /**
   * Applies one change to many models. Models that cannot be changed, and models that were changed since they
   * were read, are reported and do not block the others. Throws INVALID_INPUT.
   */
  bulk(change: BulkEditBody, by: AuditContext): Promise<BulkEditResult>
}

/** A change of a model. `row` is the model before the change. `after` is set if its fields have changed. */
interface Change {
  row: ModelRow
  after?: ModelRow
}

type Failure = BulkEditResult['failed'][number]

const NOT_THERE = 'This model is not in the library.'
const CHANGED_MEANWHILE = 'Somebody else has changed this model in the meantime, so it was skipped.'

/**
 * Returns the failure for a model that was changed since the caller read it, with the current values that would be
 * lost.
 */
const conflictOf = ({ id }: ModelRow, losses: readonly string[] = []): Failure => ({
  id,
  code: 'changed_meanwhile',
  detail: [CHANGED_MEANWHILE, ...losses.map((loss) => `${loss}.`)].join(' '),
})

export function createModelChanges(deps: {
  database: Database
  signer: PathSigner
  /** Fills missing suggestions of restored models. */
  suggestOpen(tx: Queryable, modelIds: readonly string[]): Promise<void>
}): ModelChanges {
  const { database, signer } = deps

  const recordChange = (tx: Queryable, action: AuditAction, changes: readonly Change[], by: AuditContext) => {
    const nameOf = ({ title }: ModelRow) => title
    const auditedFields = (row: ModelRow) => ({ ...fieldsOf(row) })
    return recordChanges(tx, { action, entity: 'stl_file', nameOf, fieldsOf: auditedFields }, changes, by)
  }

  const assertCurrent = (row: ModelRow, revision: number | null) =>
    assertRevision(revision, row, () => presentModel(row, signer))

  const lockOne = async (tx: Queryable, id: string): Promise<ModelRow> => {
    const [row] = await lockModels(tx, [id])
    if (!row) throw new AppError('MODEL_NOT_FOUND')
    return row
  }

  const lockLive = async (tx: Queryable, id: string): Promise<ModelRow> => {
    const row = await lockOne(tx, id)
    if (row.deleted_at !== null) throw new AppError('MODEL_NOT_FOUND')
    return row
  }

  const reread = async (tx: Queryable, id: string): Promise<ModelRow> => {
    const row = await findModel(tx, id)
    if (!row) throw new Error('A model that is locked is not there.')
    return row
  }

  const move = async (tx: Queryable, rows: readonly ModelRow[], to: 'bin' | 'library', by: AuditContext) => {
    const moved = rows.filter((row) => (row.deleted_at === null) === (to === 'bin'))
    if (moved.length === 0) return
    const ids = moved.map((row) => row.id)
    const accountId = by.actor.kind === 'user' ? by.actor.id : null
    if (to === 'bin') await trashModels(tx, ids, { accountId, now: by.now })
    else {
      await restoreModels(tx, ids, by.now)
      await deps.suggestOpen(tx, ids)
    }
    const changes = moved.map((row) => ({ row }))
    await recordChange(tx, to === 'bin' ? 'model.deleted' : 'model.restored', changes, by)
  }

  const editMany = async (
    tx: Queryable,
    rows: readonly ModelRow[],
    change: BulkEditBody,
    by: AuditContext,
  ) => {
    const failed: Failure[] = []
    const changes: Required<Change>[] = []
    for (const row of rows) {
      const edit = editOfBulk(row, change)
      if (typeof edit === 'string') {
        failed.push({ id: row.id, detail: edit })
        continue
      }
      const losses = isStale(row, change) ? replacedBy(row, edit) : []
      if (losses.length > 0) {
        failed.push(conflictOf(row, losses))
        continue
      }
      const next = applyEdit(row, edit)
      if (next) changes.push({ row, after: { ...row, ...next } })
    }
    if (changes.length > 0)
      await updateModels(
        tx,
        changes.map(({ after }) => after),
        by.now,
      )
    await recordChange(tx, 'model.updated', changes, by)
    return failed
  }

  const moveMany = async (
    tx: Queryable,
    rows: readonly ModelRow[],
    { change, to }: { change: BulkEditBody; to: 'bin' | 'library' },
    by: AuditContext,
  ) => {
    const stale = rows.filter((row) => isStale(row, change) && (row.deleted_at === null) === (to === 'bin'))
    const fresh = rows.filter((row) => !stale.includes(row))
    await move(tx, fresh, to, by)
    return stale.map((row) => conflictOf(row))
  }

  const changeBatch = (
    ids: readonly string[],
    change: BulkEditBody,
    by: AuditContext,
  ): Promise<BulkEditResult> =>
    database.transaction(async (tx) => {
      const locked = await lockModels(tx, ids)
      // Models in the trash can only be restored. All other changes apply to live models.
      const rows = locked.filter((row) => row.deleted_at === null || change.move !== undefined)
      const failed = change.move
        ? await moveMany(tx, rows, { change, to: change.move }, by)
        : await editMany(tx, rows, change, by)
      const found = new Set(rows.map((row) => row.id))
      const missing = ids.filter((id) => !found.has(id)).map((id) => ({ id, detail: NOT_THERE }))
      const bad = new Set(failed.map(({ id }) => id))
      return {
        changed: ids.filter((id) => found.has(id) && !bad.has(id)),
        failed: [...failed, ...missing],
        revisions: await readRevisions(tx, [...found]),
      }
    })

  return {
    update: (id, edit, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, id)
        assertCurrent(row, revision)
        const next = applyEdit(row, edit)
        if (!next) return row
        await updateModels(tx, [{ ...next, id }], by.now)
        const after = await reread(tx, id)
        await recordChange(tx, 'model.updated', [{ row, after }], by)
        return after
      }),

    remove: (id, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, id)
        assertCurrent(row, revision)
        await move(tx, [row], 'bin', by)
      }),

    restore: (id, by) =>
      database.transaction(async (tx) => {
        await move(tx, [await lockOne(tx, id)], 'library', by)
        return reread(tx, id)
      }),

    async bulk({ ids, revisions: read = {}, ...change }, by) {
      assertOneChange(change)
      const unique = [...new Set(ids.map((id) => id.toLowerCase()))]
      const revisions = Object.fromEntries(Object.entries(read).map(([id, at]) => [id.toLowerCase(), at]))
      const result: BulkEditResult = { changed: [], failed: [], revisions: {} }
      for (let at = 0; at < unique.length; at += BATCH) {
        const batch = unique.slice(at, at + BATCH)
        const done = await changeBatch(batch, { ids: batch, revisions, ...change }, by)
        result.changed.push(...done.changed)
        result.failed.push(...done.failed)
        Object.assign(result.revisions, done.revisions)
      }
      return result
    },
  }
}

/**
 * Returns whether a model has changed since the caller read it. Returns false if the request names no
 * revision for it.
 */
const isStale = ({ id, revision }: ModelRow, { revisions }: BulkEditBody): boolean =>
  revisions?.[id] !== undefined && revisions[id] !== revision

/**
 * Throws unless the request changes something. Also throws if the request combines a move with an edit,
 * because a deleted model cannot be edited.
 */
function assertOneChange({ move, ...edits }: Omit<BulkEditBody, 'ids' | 'revisions'>): void {
  const isEdit = Object.values(edits).some((value) => value !== undefined)
  if (isEdit !== (move !== undefined)) return
  const message = isEdit
    ? 'Please move models or edit them, not both at once.'
    : 'Please choose what to change.'
  throw new AppError('INVALID_INPUT', { text: message, errors: [{ path: isEdit ? 'move' : 'ids', message }] })
}
