import { Readable } from 'node:stream'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { TaskDefinition } from '../../../platform/tasks/tasks.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { publish } from '../../events/index.ts'
import { LARGE_TRIANGLES } from './analysis-limits.ts'
import type { AnalysisRequest, MeasureResult, PictureResult } from './analysis.protocol.ts'
import { lockBytes } from '../intake/intake.queries.ts'
import { encodePicture } from './encode-picture.ts'
import {
  type VersionToAnalyse,
  findVersionToAnalyse,
  saveFailure,
  saveMeasures,
  savePicture,
} from './analysis.queries.ts'

/** Two queues, so that whoever uploads a keychain does not wait for somebody's scan of a cathedral. */
const TASK = 'stl-library.analyse'
const LARGE_TASK = 'stl-library.analyse-large'

/** Where a model of so many triangles waits to be measured. */
export const analysisTaskOf = (triangles: number): string => (triangles < LARGE_TRIANGLES ? TASK : LARGE_TASK)

const PICTURE_SIZE_PX = 480
/** Part of the picture's key: a better renderer raises it, and old pictures stay what they were. */
const RENDERER_VERSION = 1
const WORKER_DEADLINE_MS = 60_000
/** Both steps, and the wait for a thread that others hold. */
const TASK_DEADLINE_SECONDS = 300

const UNMEASURED = {
  code: 'analysis_failed',
  message: 'This model could not be measured. The file itself is safe and can be downloaded.',
}
const UNDRAWN = {
  code: 'no_picture',
  message: 'No picture could be drawn of this model. Its measures are not affected.',
}

/** What the same file would run into again: no reason to try once more. */
const FINAL_CODES = new Set(['DEADLINE_EXCEEDED', 'OUT_OF_MEMORY'])

const isFinal = (error: unknown): boolean =>
  error instanceof RangeError ||
  (error instanceof Error && 'code' in error && FINAL_CODES.has(String(error.code)))

interface AnalysisTaskData {
  versionId: string
}

/**
 * Measures uploaded models and draws their pictures. Results go by content: one analysis serves every model of
 * the same bytes, and a second run finds nothing to do.
 */
export function createAnalysisTasks(deps: {
  database: Database
  storage: ObjectStorage
  workers: WorkerPool
}): TaskDefinition<AnalysisTaskData>[] {
  const { database, storage, workers } = deps

  /** Writes what was found and tells who looks at the models, both or neither. */
  const conclude = (version: VersionToAnalyse, save: (tx: Queryable) => Promise<string[]>): Promise<void> =>
    database.transaction(async (tx) => {
      // A twin that is being added copies what is there, or is there to be found.
      await lockBytes(tx, version.sha256)
      for (const id of await save(tx)) await publish(tx, { type: 'updated', entity: 'stl_file', id })
    })

  const ask = async <T>(
    request: AnalysisRequest,
    signal: AbortSignal,
  ): Promise<T | { ok: false; reason: string }> => {
    try {
      return await workers.run<T>(request, { signal, deadlineMs: WORKER_DEADLINE_MS })
    } catch (error) {
      signal.throwIfAborted()
      if (!isFinal(error)) throw error
      return { ok: false, reason: UNMEASURED.message }
    }
  }

  const measure = async (version: VersionToAnalyse, path: string, signal: AbortSignal) => {
    const { triangles, warnings } = version
    const result = await ask<MeasureResult>({ work: 'measure', path, triangles, warnings }, signal)
    if (!result.ok) {
      const unmeasured = { ...UNMEASURED, message: result.reason }
      await conclude(version, (tx) => saveFailure(tx, version.sha256, { unmeasured, undrawn: UNDRAWN }))
      return null
    }
    await conclude(version, (tx) => saveMeasures(tx, version.sha256, result.measures))
    return result.measures.surfaceAreaMm2
  }

  const draw = async (version: VersionToAnalyse, path: string, area: number, signal: AbortSignal) => {
    const { triangles, sha256 } = version
    const request = {
      work: 'picture',
      path,
      triangles,
      surfaceAreaMm2: area,
      sizePx: PICTURE_SIZE_PX,
    } as const
    const result = await ask<PictureResult>(request, signal)
    if (!result.ok) {
      await conclude(version, (tx) => saveFailure(tx, sha256, { unmeasured: UNMEASURED, undrawn: UNDRAWN }))
      return
    }
    const thumbnailKey = `thumbnails/${sha256}-v${RENDERER_VERSION}.webp`
    await storage.put(thumbnailKey, Readable.from([await encodePicture(result)]))
    await conclude(version, (tx) => savePicture(tx, sha256, thumbnailKey))
  }

  const definitionOf = (name: string, concurrency: number): TaskDefinition<AnalysisTaskData> => ({
    name,
    concurrency,
    deadlineSeconds: TASK_DEADLINE_SECONDS,
    retryLimit: 2,

    async run({ versionId }, { signal }) {
      const version = await findVersionToAnalyse(database.sql, versionId)
      if (!version) return
      await storage.withLocalFile(version.object_key, async (path) => {
        // Measured already where an earlier attempt ended in the picture.
        const area = version.surface_area_mm2 ?? (await measure(version, path, signal))
        if (area !== null) await draw(version, path, area, signal)
      })
    },

    async onFailed({ versionId }) {
      const version = await findVersionToAnalyse(database.sql, versionId)
      if (!version) return
      const found = { unmeasured: UNMEASURED, undrawn: UNDRAWN }
      await conclude(version, (tx) => saveFailure(tx, version.sha256, found))
    },
  })

  return [definitionOf(TASK, 2), definitionOf(LARGE_TASK, 1)]
}
