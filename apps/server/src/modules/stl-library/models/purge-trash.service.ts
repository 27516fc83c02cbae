import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { removeUnlessUsed } from '../upload/stored-bytes.ts'
import { deleteModel, listDoomed, lockDoomed, passOnDuplicates } from './purge-trash.queries.ts'

/** Number of models that are purged in one hour. The others wait for the next run. */
const MAX_AT_ONCE = 1000

interface PurgeDeps {
  database: Database
  clock: Clock
  storage: ObjectStorage
}

/**
 * Removes one model permanently, unless somebody has restored it or used it in the meantime. Returns whether
 * it was removed.
 */
async function purgeOne(deps: PurgeDeps, id: string, before: Date): Promise<boolean> {
  const { database, clock } = deps
  const keys = await database.transaction(async (tx) => {
    const model = await lockDoomed(tx, id, before)
    if (!model) return null
    await passOnDuplicates(tx, id)
    const event = {
      action: 'model.purged',
      entity: 'stl_file',
      entityId: id,
      entityName: model.title,
    } as const
    const by = { actor: SYSTEM_ACTOR, now: clock.now() }
    await writeAudit(tx, { ...event, before: { deleted_at: model.deleted_at } }, by)
    await publish(tx, { type: 'deleted', entity: 'stl_file', id })
    return deleteModel(tx, id)
  })
  // Objects that another model uses stay. If the server stops or the storage is unreachable, the cleanup of
  // orphans removes the objects later.
  for (const key of keys ?? []) await removeUnlessUsed(deps, key).catch(() => false)
  return keys !== null
}

/** Permanently removes unused models that have been in the trash for 30 days. Returns the number of removed models. */
export async function purgeTrash(deps: PurgeDeps): Promise<number> {
  const before = trashCutoff(deps.clock.now())
  let count = 0
  for (const { id } of await listDoomed(deps.database.sql, before, MAX_AT_ONCE))
    if (await purgeOne(deps, id, before)) count += 1
  return count
}
