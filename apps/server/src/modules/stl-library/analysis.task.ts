import type { Database, Queryable } from '../../platform/database/database.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import type { TaskDefinition } from '../../platform/tasks/tasks.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { publish } from '../events/index.ts'
import type { AnalysisRequest, AnalysisResult } from './analysis.protocol.ts'
import { findVersionToAnalyse, saveAnalysis, saveAnalysisFailure } from './stl-library.queries.ts'

export const ANALYSIS_TASK = 'stl-library.analyse'

const PICTURE_SIZE_PX = 480
/** Part of the picture's key: a better renderer raises it, and old pictures stay what they were. */
const RENDERER_VERSION = 1
const WORKER_DEADLINE_MS = 120_000
const TASK_DEADLINE_SECONDS = 150

export interface AnalysisTaskData {
  versionId: string
}

/** Measures an uploaded model and draws its picture; harmless when run twice, as its results go by content. */
export function createAnalysisTask(deps: {
  database: Database
  storage: ObjectStorage
  workers: WorkerPool
}): TaskDefinition<AnalysisTaskData> {
  const { database, storage, workers } = deps

  /** Writes the judgement and tells who looks at the model, both or neither. */
  const conclude = (save: (tx: Queryable) => Promise<string | null>): Promise<void> =>
    database.transaction(async (tx) => {
      const modelId = await save(tx)
      if (modelId) await publish(tx, { type: 'updated', entity: 'stl_file', id: modelId })
    })

  return {
    name: ANALYSIS_TASK,
    deadlineSeconds: TASK_DEADLINE_SECONDS,
    retryLimit: 2,

    async run({ versionId }, { signal }) {
      const version = await findVersionToAnalyse(database.sql, versionId)
      if (!version) return
      const result = await storage.withLocalFile(version.object_key, (path) => {
        const request: AnalysisRequest = { path, warnings: version.warnings, pictureSizePx: PICTURE_SIZE_PX }
        return workers.run<AnalysisResult>(request, { signal, deadlineMs: WORKER_DEADLINE_MS })
      })
      if (!result.ok) {
        const warning = { code: 'analysis_failed', message: result.reason }
        await conclude((tx) => saveAnalysisFailure(tx, versionId, warning))
        return
      }
      const { picture, ...measures } = result
      const thumbnailKey = `thumbnails/${version.sha256}-v${RENDERER_VERSION}.webp`
      await storage.put(
        thumbnailKey,
        (async function* () {
          yield picture
        })(),
      )
      await conclude((tx) => saveAnalysis(tx, versionId, { ...measures, thumbnailKey }))
    },

    async onFailed({ versionId }) {
      const warning = {
        code: 'analysis_failed',
        message: 'This model could not be measured. The file itself is safe and can be downloaded.',
      }
      await conclude((tx) => saveAnalysisFailure(tx, versionId, warning))
    },
  }
}
