import { Readable } from 'node:stream'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { TaskDefinition } from '../../../platform/tasks/tasks.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { publish } from '../../events/index.ts'
import { lockBytes } from '../upload/upload.queries.ts'
import { modelPath } from '../models/model-path.ts'
import { LARGE_TRIANGLES } from './analysis-limits.ts'
import type { AnalysisRequest, MeasuredSurface, MeasureResult, PictureResult } from './analysis.protocol.ts'
import {
  type VersionToAnalyze,
  findModelOfVersion,
  findVersionSha,
  findVersionToAnalyze,
  listPendingVersions,
  reopenAnalysis,
  saveFailure,
  saveMeasures,
  savePictures,
} from './analysis.queries.ts'
import { createAsk } from './ask-worker.ts'
import { estimateFromGeometry } from './estimate/geometry-estimate.ts'
import { encodeEmbedded, encodePicture } from './pictures/encode-picture.ts'

/** The names of two queues. Small models have their own, so that they never wait behind a very large model. */
const TASK = 'stl-library.analyse'
const LARGE_TASK = 'stl-library.analyse-large'

/** Returns the name of the queue for a model of this many triangles. */
export const analysisTaskOf = (triangles: number): string => (triangles < LARGE_TRIANGLES ? TASK : LARGE_TASK)

const PICTURE_SIZE_PX = 480
/**
 * A part of the key of each picture. Increment it when the renderer changes. Pictures that already exist stay
 * unchanged.
 */
const RENDERER_VERSION = 1
/** Time limit for both steps, including the wait for a worker thread. */
const TASK_DEADLINE_SECONDS = 300

const UNMEASURED = {
  code: 'analysis_failed',
  message: 'This model could not be measured. The file itself is safe and can be downloaded.',
}
const UNDRAWN = {
  code: 'no_picture',
  message: 'No picture could be drawn of this model. Its measures are not affected.',
}

interface AnalysisTaskData {
  versionId: string
}

/**
 * Measures uploaded models and draws their pictures. Results are stored by content: one analysis serves all
 * models with the same bytes, and a second run changes nothing.
 */
export function createAnalysisTasks(deps: {
  database: Database
  storage: ObjectStorage
  workers: WorkerPool
  /** Called in the transaction that ends an analysis, whether it succeeded or failed. */
  onAnalyzed(tx: Queryable, ended: { versionId: string; modelIds: readonly string[] }): Promise<void>
}): TaskDefinition<AnalysisTaskData>[] {
  const { database, storage } = deps
  const ask = createAsk<AnalysisRequest>(deps.workers, UNMEASURED.message)

  /**
   * Saves the results and notifies the viewers of these models, in one transaction. `isEnd` is true for the
   * last step of the analysis.
   */
  const conclude = (
    version: VersionToAnalyze,
    save: (tx: Queryable) => Promise<string[]>,
    { isEnd }: { isEnd: boolean },
  ): Promise<void> =>
    database.transaction(async (tx) => {
      // Lock the bytes. A model with the same bytes that is added at the same time then either copies these results or
      // waits for them.
      await lockBytes(tx, version.sha256)
      const modelIds = await save(tx)
      if (isEnd && modelIds.length > 0) await deps.onAnalyzed(tx, { versionId: version.id, modelIds })
      for (const id of modelIds) await publish(tx, { type: 'updated', entity: 'stl_file', id })
    })

  const fail = (version: VersionToAnalyze, unmeasured = UNMEASURED) =>
    conclude(version, (tx) => saveFailure(tx, version.sha256, { unmeasured, undrawn: UNDRAWN }), {
      isEnd: true,
    })

  const measure = async (version: VersionToAnalyze, path: string, signal: AbortSignal) => {
    const { triangles, warnings } = version
    const result = await ask<MeasureResult>({ work: 'measure', path, triangles, warnings }, signal)
    if (!result.ok) {
      await fail(version, { ...UNMEASURED, message: result.reason })
      return null
    }
    const { measures } = result
    const { volumeMm3, surfaceAreaMm2, boundingBoxMm: boundingBox } = measures
    const estimate = estimateFromGeometry({ volumeMm3, surfaceAreaMm2, heightMm: boundingBox.size[2] })
    await conclude(version, (tx) => saveMeasures(tx, version.sha256, { ...measures, estimate }), {
      isEnd: false,
    })
    return { triangles: measures.triangles, boundingBox, surfaceAreaMm2 }
  }

  const draw = async (
    version: VersionToAnalyze,
    path: string,
    surface: MeasuredSurface,
    signal: AbortSignal,
  ) => {
    const { sha256 } = version
    const request = { work: 'picture', path, surface, sizePx: PICTURE_SIZE_PX } as const
    const result = await ask<PictureResult>(request, signal)
    if (!result.ok) return fail(version)
    const { front, back, preview, embedded } = result
    const keys = {
      front: `thumbnails/${sha256}-v${RENDERER_VERSION}.webp`,
      back: `thumbnails/${sha256}-v${RENDERER_VERSION}-back.webp`,
      preview: `previews/${sha256}-v${RENDERER_VERSION}.stl`,
    }
    const brought = embedded && (await encodeEmbedded(embedded, PICTURE_SIZE_PX))
    await storage.put(keys.front, Readable.from([brought ?? (await encodePicture(front))]))
    await storage.put(keys.back, Readable.from([await encodePicture(back)]))
    await storage.put(keys.preview, Readable.from([preview]))
    await conclude(version, (tx) => savePictures(tx, sha256, keys), { isEnd: true })
  }

  const definitionOf = (
    name: string,
    concurrency: number,
    triangles: { from: number; below: number | null },
  ): TaskDefinition<AnalysisTaskData> => ({
    name,
    concurrency,
    deadlineSeconds: TASK_DEADLINE_SECONDS,
    retryLimit: 2,

    async run({ versionId }, { signal }) {
      const version = await findVersionToAnalyze(database.sql, versionId)
      if (!version) return
      await storage.withLocalFile(version.object_key, async (path) => {
        // An earlier attempt that failed at the picture has already saved the measures.
        const surface = measuredBefore(version) ?? (await measure(version, path, signal))
        if (surface !== null) await draw(version, path, surface, signal)
      })
    },

    listOpen: () => listPendingVersions(database.sql, triangles),

    async onFailed({ versionId }) {
      const version = await findVersionToAnalyze(database.sql, versionId)
      if (version) await fail(version)
    },

    async describe(sql, { versionId }) {
      const model = await findModelOfVersion(sql, versionId)
      return model && { name: model.title, path: modelPath(model.id) }
    },

    async reopen(tx, { versionId }) {
      const sha256 = await findVersionSha(tx, versionId)
      if (sha256 === null) return null
      await lockBytes(tx, sha256)
      const ids = await reopenAnalysis(tx, sha256, [UNMEASURED.code, UNDRAWN.code])
      for (const id of ids) await publish(tx, { type: 'updated', entity: 'stl_file', id })
      return ids.length > 0 ? { versionId } : null
    },
  })

  return [
    definitionOf(TASK, 2, { from: 0, below: LARGE_TRIANGLES }),
    definitionOf(LARGE_TASK, 1, { from: LARGE_TRIANGLES, below: null }),
  ]
}

const measuredBefore = (version: VersionToAnalyze): MeasuredSurface | null => {
  const { triangles, bounding_box_mm: boundingBox, surface_area_mm2: surfaceAreaMm2 } = version
  return boundingBox === null || surfaceAreaMm2 === null ? null : { triangles, boundingBox, surfaceAreaMm2 }
}
