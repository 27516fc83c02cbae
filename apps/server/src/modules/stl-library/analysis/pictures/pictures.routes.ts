import { getModelPreview, getModelTurntable } from '@pegasus/contracts/stl-library/models'
import type { Clock } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/database/database.ts'
import { AppError } from '../../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../../platform/http/endpoints.ts'
import { sendObject } from '../../../../platform/http/send-object.ts'
import type { ObjectStorage } from '../../../../platform/storage/object-storage.ts'
import type { Tasks } from '../../../../platform/tasks/tasks.ts'
import type { Models } from '../../models/models.service.ts'
import { TURNTABLE_PAUSE_MS, TURNTABLE_TASK } from './turntable.task.ts'

/**
 * The key contains the hash of the content, so the content of a key never changes. A model with a new file has a new
 * key.
 */
const CACHE_CONTROL = 'private, no-cache'

/** Adds the routes for the preview mesh and the turntable of a model. */
export function addPictureRoutes(
  endpoints: Endpoints,
  deps: { database: Database; clock: Clock; storage: ObjectStorage; tasks: Tasks; models: Models },
): void {
  const { database, clock, storage, tasks, models } = deps

  endpoints.add(getModelPreview, async ({ params, request, reply }) => {
    const { preview_key: key } = await models.get(params.id)
    if (key === null) throw new AppError('PREVIEW_NOT_READY')
    const caching = { etag: `"${key}"`, cacheControl: CACHE_CONTROL }
    return sendObject(request, reply, storage, { key, contentType: 'model/stl', ...caching })
  })

  endpoints.add(getModelTurntable, async ({ params, request, reply }) => {
    const { turntable_key: key, turntable_failed_at, preview_key, sha256 } = await models.get(params.id)
    if (preview_key === null) throw new AppError('THUMBNAIL_NOT_READY')
    if (key !== null) {
      const caching = { etag: `"${key}"`, cacheControl: CACHE_CONTROL }
      return sendObject(request, reply, storage, { key, contentType: 'image/webp', ...caching })
    }
    const failedAt = turntable_failed_at === null ? null : new Date(turntable_failed_at)
    if (failedAt !== null && clock.now().getTime() < failedAt.getTime() + TURNTABLE_PAUSE_MS)
      throw new AppError('TURNTABLE_FAILED')
    await tasks.enqueue(database.sql, TURNTABLE_TASK, { sha256 }, { singletonKey: sha256 })
    tasks.wake(TURNTABLE_TASK)
    reply.code(202).header('cache-control', 'no-store')
    return { status: 'drawing' as const }
  })
}
