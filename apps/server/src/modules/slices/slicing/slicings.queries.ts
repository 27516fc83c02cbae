import type { Slicing, SlicingState } from '@pegasus/contracts/slices/slicing'
import { type ActorColumns, actorOfColumns } from '../../../platform/actor.ts'
import type { Insert, Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'

/** Maximum number of slicings of a model that are shown. */
const SHOWN = 20

type SlicingRow = Omit<Slicing, 'actor'> & ActorColumns

const columns = (sql: Queryable) => sql`
  select r.id, r.profile_id, p.name as profile_name, r.pieces, r.state, r.detail, r.slice_id, r.actor_kind, r.actor_id,
         r.actor_name, r.created_at, r.finished_at
  from slicing_runs r join slicer_profiles p on p.id = r.profile_id`

const present = ({ actor_kind, actor_id, actor_name, ...row }: SlicingRow): Slicing => ({
  ...row,
  actor: actorOfColumns({ actor_kind, actor_id, actor_name }),
})

export const listSlicings = async (sql: Queryable, modelId: string): Promise<Slicing[]> =>
  (
    await sql<SlicingRow[]>`
      ${columns(sql)} where r.stl_file_id = ${modelId} order by r.created_at desc, r.id desc limit ${sql.literal(SHOWN)}`
  ).map(present)

export async function findSlicing(sql: Queryable, modelId: string, id: string): Promise<Slicing | null> {
  const row = await firstRow(
    sql<SlicingRow[]>`${columns(sql)} where r.id = ${id} and r.stl_file_id = ${modelId}`,
  )
  return row ? present(row) : null
}

export async function insertSlicing(tx: Queryable, run: Insert<'slicing_runs'>): Promise<void> {
  await insertInto(tx, 'slicing_runs', run)
}

/** A slicing with its model and profile, as the task needs them. */
export type SlicingToRun = ActorColumns &
  Row<'slicing_runs', 'id' | 'stl_file_id' | 'stl_version_id' | 'pieces' | 'state'> & {
    settings: string
    printer_model: string | null
    profile_name: string
    title: string
    object_key: string
    format: 'stl' | '3mf' | 'obj'
  }

/** Finds a slicing. Its model file is the clean copy if there is one. */
export const findSlicingToRun = (sql: Queryable, id: string) =>
  firstRow(sql<SlicingToRun[]>`
    select r.id, r.stl_file_id, r.stl_version_id, r.pieces, r.state, r.actor_kind, r.actor_id, r.actor_name,
           p.settings, p.printer_model, p.name as profile_name, m.title, v.object_key, v.format
    from slicing_runs r
    join slicer_profiles p on p.id = r.profile_id
    join library_models m on m.id = r.stl_file_id
    join library_versions v on v.id = r.stl_version_id
    where r.id = ${id}`)

export const findSlicingState = async (sql: Queryable, id: string): Promise<SlicingState | null> => {
  const [row] = await sql<{ state: SlicingState }[]>`select state from slicing_runs where id = ${id}`
  return row?.state ?? null
}

export async function listPendingSlicings(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from slicing_runs where state = 'pending' order by created_at, id`
  return rows.map(({ id }) => id)
}

/** Ends a pending slicing. Returns false if it has already ended. */
export async function endSlicing(
  tx: Queryable,
  id: string,
  end: {
    state: Exclude<SlicingState, 'pending'>
    detail?: string | null
    sliceId?: string | null
    now: Date
  },
): Promise<boolean> {
  const rows = await tx`
    update slicing_runs set state = ${end.state}, detail = ${end.detail ?? null}, slice_id = ${end.sliceId ?? null},
      finished_at = ${end.now}
    where id = ${id} and state = 'pending' returning id`
  return rows.length > 0
}

/**
 * Makes a failed slicing pending again, unless the same slicing was started again by somebody. Returns the id of its
 * model, or null if nothing was changed.
 */
export async function reopenSlicing(tx: Queryable, id: string): Promise<string | null> {
  const [row] = await tx<{ stl_file_id: string }[]>`
    update slicing_runs r set state = 'pending', detail = null, finished_at = null
    where id = ${id} and state = 'failed' and not exists (
      select from slicing_runs o
      where o.stl_version_id = r.stl_version_id and o.profile_id = r.profile_id and o.pieces = r.pieces
        and o.state = 'pending')
    returning stl_file_id`
  return row?.stl_file_id ?? null
}

/** Deletes the records of slicings that ended before this time. Their sliced files stay. */
export async function deleteOldSlicings(sql: Queryable, before: Date): Promise<void> {
  await sql`delete from slicing_runs where finished_at < ${before}`
}
