import type {
  CreateSlicerProfileBody,
  SlicerProfile,
  UpdateSlicerProfileBody,
} from '@pegasus/contracts/slices/slicing'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { updateRevised } from '../../../platform/database/write-rows.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { type IdempotentCaller, writeBodyOnce } from '../../../platform/http/idempotency.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { findProfile, insertProfile, listProfiles, lockProfile, updateProfile } from './profiles.queries.ts'
import { readSettings } from './read-settings.ts'

export interface SlicerProfiles {
  list(): Promise<SlicerProfile[]>
  /**
   * Adds a profile. Throws PROFILE_INVALID, IDEMPOTENCY_KEY_REUSED, or PROFILE_NAME_TAKEN (from a database constraint).
   */
  create(body: CreateSlicerProfileBody, by: IdempotentCaller): Promise<SlicerProfile & { left_out: string[] }>
  /**
   * Changes a profile. Throws PROFILE_NOT_FOUND, PRECONDITION_FAILED, or PROFILE_NAME_TAKEN (from a database
   * constraint).
   */
  update(
    id: string,
    change: UpdateSlicerProfileBody,
    revision: number | null,
    by: AuditContext,
  ): Promise<SlicerProfile>
  /** Moves a profile to the trash. Throws PROFILE_NOT_FOUND or PRECONDITION_FAILED. */
  remove(id: string, revision: number | null, by: AuditContext): Promise<void>
  /** Restores a profile. Throws PROFILE_NOT_FOUND, or PROFILE_NAME_TAKEN (from a database constraint). */
  restore(id: string, by: AuditContext): Promise<SlicerProfile>
}

export function createSlicerProfiles({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): SlicerProfiles {
  const get = async (sql: Queryable, id: string): Promise<SlicerProfile> => {
    const row = await findProfile(sql, id)
    if (!row) throw new AppError('PROFILE_NOT_FOUND')
    return row
  }

  const lockLive = async (tx: Queryable, id: string, revision: number | null): Promise<SlicerProfile> => {
    const row = await lockProfile(tx, id)
    if (!row || row.deleted_at !== null) throw new AppError('PROFILE_NOT_FOUND')
    assertRevision(revision, row, () => row)
    return row
  }

  const record = async (
    tx: Queryable,
    row: SlicerProfile,
    change: Pick<AuditEvent, 'action' | 'before' | 'after'>,
    by: AuditContext,
  ) => {
    await writeAudit(tx, { ...change, entity: 'slicer_profile', entityId: row.id, entityName: row.name }, by)
    await publish(tx, { type: 'updated', entity: 'slice', id: row.id })
  }

  const audited = ({ name, printer_model, nozzle_mm, material }: SlicerProfile) => ({
    name,
    printer_model,
    nozzle_mm,
    material,
  })

  return {
    list: () => listProfiles(database.sql),

    create: (body, caller) =>
      writeBodyOnce({ database, clock }, caller, ['slicer-profiles', body], async (tx, { audit: by }) => {
        const { leftOut, settings, ...read } = readSettings(body.settings)
        const id = uuidv7()
        await insertProfile(tx, {
          id,
          name: body.name,
          settings,
          printer_model: body.printer_model ?? read.printerModel,
          nozzle_mm: body.nozzle_mm ?? read.nozzleMm,
          material: body.material ?? read.material,
          layer_height_mm: read.layerHeightMm,
          created_at: by.now,
          updated_at: by.now,
        })
        const row = await get(tx, id)
        await record(tx, row, { action: 'slicer_profile.created', after: audited(row) }, by)
        return { ...row, left_out: leftOut }
      }),

    update: (id, change, revision, by) =>
      database.transaction(async (tx) => {
        const before = await lockLive(tx, id, revision)
        const next = {
          name: change.name ?? before.name,
          printer_model: change.printer_model === undefined ? before.printer_model : change.printer_model,
          nozzle_mm: change.nozzle_mm === undefined ? before.nozzle_mm : change.nozzle_mm,
          material: change.material === undefined ? before.material : change.material,
        }
        await updateProfile(tx, id, next, by.now)
        const row = await get(tx, id)
        await record(
          tx,
          row,
          { action: 'slicer_profile.updated', before: audited(before), after: audited(row) },
          by,
        )
        return row
      }),

    remove: (id, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, id, revision)
        await updateRevised(tx, 'slicer_profiles', id, { deleted_at: by.now }, by.now)
        await record(tx, row, { action: 'slicer_profile.deleted' }, by)
      }),

    restore: (id, by) =>
      database.transaction(async (tx) => {
        const row = await lockProfile(tx, id)
        const isGone = row?.deleted_at != null && new Date(row.deleted_at) <= trashCutoff(clock.now())
        if (!row || isGone) throw new AppError('PROFILE_NOT_FOUND')
        if (row.deleted_at !== null) {
          await updateRevised(tx, 'slicer_profiles', id, { deleted_at: null }, by.now)
          await record(tx, row, { action: 'slicer_profile.restored' }, by)
        }
        return get(tx, id)
      }),
  }
}
