import type { SlicerProfile } from '@pegasus/contracts/slices/slicing'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'
import type { Insert } from '../../../platform/database/column-types.ts'

const columns = (sql: Queryable) => sql`
  id, name, printer_model, nozzle_mm::float8, material, layer_height_mm::float8, revision, created_at, updated_at, deleted_at`

export const listProfiles = (sql: Queryable): Promise<SlicerProfile[]> =>
  sql<SlicerProfile[]>`
    select ${columns(sql)} from slicer_profiles where deleted_at is null order by lower(name), id`

/** Finds a profile, even if it is in the trash. */
export const findProfile = (sql: Queryable, id: string) =>
  firstRow(sql<SlicerProfile[]>`select ${columns(sql)} from slicer_profiles where id = ${id}`)

export const lockProfile = (tx: Queryable, id: string) =>
  firstRow(tx<SlicerProfile[]>`select ${columns(tx)} from slicer_profiles where id = ${id} for update`)

export async function insertProfile(tx: Queryable, profile: Insert<'slicer_profiles'>): Promise<void> {
  await insertInto(tx, 'slicer_profiles', profile)
}

export async function updateProfile(
  tx: Queryable,
  id: string,
  profile: Pick<SlicerProfile, 'name' | 'printer_model' | 'nozzle_mm' | 'material'>,
  now: Date,
): Promise<void> {
  await tx`
    update slicer_profiles set name = ${profile.name}, printer_model = ${profile.printer_model},
      nozzle_mm = ${profile.nozzle_mm}, material = ${profile.material}, revision = revision + 1, updated_at = ${now}
    where id = ${id}`
}
