import type { Slicing, StartSlicingBody } from '@pegasus/contracts/slices/slicing'
import { v7 as uuidv7 } from 'uuid'
import { actorColumns, type AuditContext } from '../../../platform/actor.ts'
import { type Clock, DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type IdempotentCaller, writeBodyOnce } from '../../../platform/http/idempotency.ts'
import type { Tasks } from '../../../platform/tasks/tasks.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { findTitle, findVersion, holdModel, isModelThere } from '../files/slices.queries.ts'
import { lockProfile } from './profiles.queries.ts'
import { SLICING_TASK } from './slicing.task.ts'
import {
  deleteOldSlicings,
  endSlicing,
  findSlicing,
  insertSlicing,
  listSlicings,
} from './slicings.queries.ts'

const KEPT_MS = 90 * DAY_MS

/** Slicings of models with the server's slicer. */
export interface Slicings {
  /** Lists the latest slicings of a model. Throws MODEL_NOT_FOUND. */
  list(modelId: string): Promise<Slicing[]>
  /**
   * Starts a slicing of the current version. Throws SLICER_MISSING, MODEL_NOT_FOUND, PROFILE_NOT_FOUND,
   * IDEMPOTENCY_KEY_REUSED, or SLICING_RUNS (from a database constraint).
   */
  start(modelId: string, body: StartSlicingBody, by: IdempotentCaller): Promise<Slicing>
  /** Cancels a slicing. Throws SLICING_NOT_FOUND. */
  cancel(ref: { id: string; slicing_id: string }, by: AuditContext): Promise<Slicing>
  /** Deletes the records of slicings that ended long ago. Runs hourly. */
  purge(): Promise<void>
}

export function createSlicings(deps: {
  database: Database
  clock: Clock
  tasks: Tasks
  isAvailable: boolean
}): Slicings {
  const { database, clock, tasks, isAvailable } = deps

  const get = async (sql: Queryable, modelId: string, id: string): Promise<Slicing> => {
    const slicing = await findSlicing(sql, modelId, id)
    if (!slicing) throw new AppError('SLICING_NOT_FOUND')
    return slicing
  }

  /**
   * Records in the audit who started or cancelled a slicing. The record is needed because the row of the slicing is
   * deleted later.
   */
  const audit = async (
    tx: Queryable,
    action: 'model.slicing_started' | 'model.slicing_cancelled',
    modelId: string,
    { profile_name: profile, pieces }: Slicing,
    by: AuditContext,
  ) => {
    const entity = {
      entity: 'stl_file',
      entityId: modelId,
      entityName: await findTitle(tx, modelId),
    } as const
    await writeAudit(tx, { action, ...entity, after: { profile, pieces } }, by)
  }

  return {
    async list(modelId) {
      if (!(await isModelThere(database.sql, modelId))) throw new AppError('MODEL_NOT_FOUND')
      return listSlicings(database.sql, modelId)
    },

    start: (modelId, { profile_id: profileId, pieces }, caller) => {
      const request = ['slicings', modelId, profileId, pieces]
      return writeBodyOnce({ database, clock }, caller, request, async (tx, { audit: by }) => {
        if (!isAvailable) throw new AppError('SLICER_MISSING')
        if (!(await holdModel(tx, modelId))) throw new AppError('MODEL_NOT_FOUND')
        const version = await findVersion(tx, modelId, null)
        if (!version) throw new AppError('MODEL_NOT_FOUND')
        const profile = await lockProfile(tx, profileId)
        if (!profile || profile.deleted_at !== null) throw new AppError('PROFILE_NOT_FOUND')
        const id = uuidv7()
        await insertSlicing(tx, {
          id,
          stl_file_id: modelId,
          stl_version_id: version.id,
          profile_id: profileId,
          pieces,
          state: 'pending',
          ...actorColumns(by.actor),
          created_at: by.now,
        })
        await tasks.enqueue(tx, SLICING_TASK, { runId: id }, { singletonKey: id })
        await publish(tx, { type: 'updated', entity: 'slice', id: modelId })
        const slicing = await get(tx, modelId, id)
        await audit(tx, 'model.slicing_started', modelId, slicing, by)
        return slicing
      })
    },

    cancel: ({ id: modelId, slicing_id: id }, by) =>
      database.transaction(async (tx) => {
        const slicing = await get(tx, modelId, id)
        if (await endSlicing(tx, id, { state: 'cancelled', now: by.now })) {
          await audit(tx, 'model.slicing_cancelled', modelId, slicing, by)
          await publish(tx, { type: 'updated', entity: 'slice', id: modelId })
        }
        return get(tx, modelId, id)
      }),

    purge: () => deleteOldSlicings(database.sql, addMs(clock.now(), -KEPT_MS)),
  }
}
