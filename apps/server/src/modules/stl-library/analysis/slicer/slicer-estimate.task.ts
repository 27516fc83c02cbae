import { MINUTE_MS } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/database/database.ts'
import type { ObjectStorage } from '../../../../platform/storage/object-storage.ts'
import type { TaskDefinition } from '../../../../platform/tasks/tasks.ts'
import { publish } from '../../../events/index.ts'
import { modelPath } from '../../models/model-path.ts'
import { lockBytes } from '../../upload/upload.queries.ts'
import { findModelOfVersion, findVersionToSlice, saveEstimate } from '../analysis.queries.ts'
import { runSlicer, type SlicerLimits } from './run-slicer.ts'
import { estimateFromSlicer } from './slicer-estimate.ts'

export const SLICE_TASK = 'stl-library.slice'

/** Larger models are not sliced: they would not finish in time. */
const MAX_FILE_BYTES = 200 * 1024 * 1024

interface SliceTaskData {
  versionId: string
}

/**
 * Creates the task that estimates a print with the slicer. If the slicer fails, hangs or reports impossible figures,
 * the estimate from the geometry stays.
 */
export function createSliceTask(deps: {
  database: Database
  storage: ObjectStorage
  program: string
  limits: SlicerLimits
}): TaskDefinition<SliceTaskData> {
  const { database, storage, program, limits } = deps
  return {
    name: SLICE_TASK,
    deadlineSeconds: (limits.deadlineMs + MINUTE_MS) / 1000,
    retryLimit: 0,

    async run({ versionId }, { signal, log }) {
      const version = await findVersionToSlice(database.sql, versionId)
      if (!version || version.file_size > MAX_FILE_BYTES) return
      const { sha256, format } = version
      try {
        const figures = await storage.withLocalFile(version.object_key, (path) =>
          runSlicer(program, { path, format }, { signal, limits }),
        )
        const estimate = estimateFromSlicer(figures, version.bounding_box_mm)
        await database.transaction(async (tx) => {
          await lockBytes(tx, sha256)
          for (const id of await saveEstimate(tx, sha256, estimate))
            await publish(tx, { type: 'updated', entity: 'stl_file', id })
        })
      } catch (error) {
        signal.throwIfAborted()
        log.warn({ err: error, sha256 }, 'the slicer gave no estimate')
      }
    },

    async describe(sql, { versionId }) {
      const model = await findModelOfVersion(sql, versionId)
      return model && { name: model.title, path: modelPath(model.id) }
    },
  }
}
