import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { Tasks } from '../../../platform/tasks/tasks.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import type { Models } from '../models/models.service.ts'
import { analysisTaskOf, createAnalysisTasks } from './analysis.task.ts'
import { addPictureRoutes } from './pictures/pictures.routes.ts'
import { createTurntableTask } from './pictures/turntable.task.ts'
import { SLICER_LIMITS, type SlicerLimits } from './slicer/run-slicer.ts'
import { createSliceTask, SLICE_TASK } from './slicer/slicer-estimate.task.ts'
import type { ChatEndpoint } from './suggestions/chat-endpoint.ts'
import { completeSuggestions } from './suggestions/complete-suggestions.ts'
import { createSuggestTask, SUGGEST_TASK } from './suggestions/suggest.task.ts'
import { findUnsuggested, lockModel } from './suggestions/suggestions.queries.ts'

export interface AnalysisOptions {
  /** Path of a PrusaSlicer-compatible program, or null if none is configured. */
  slicerPath: string | null
  slicerLimits?: SlicerLimits | undefined
  /** The AI endpoint that suggests titles, tags and descriptions, or null if geometry alone is used. */
  chat: ChatEndpoint | null
}

interface Analysis {
  enqueueAnalysis(
    tx: Queryable,
    version: { versionId: string; triangles: number; waitingBefore: number },
  ): Promise<void>
  wakeAnalysis(triangles: number): void
  /** Suggests values for the empty fields of a model that is already measured and drawn. */
  suggest(tx: Queryable, modelId: string): Promise<void>
  /**
   * Requests suggestions for those of the models that are measured and still need them, after they were restored from
   * the trash or got a new current version. The caller has locked the models.
   */
  suggestOpen(tx: Queryable, modelIds: readonly string[]): Promise<void>
}

/** Sets up everything that examines stored models: analysis, slicing, suggestions and pictures. */
export function setUpAnalysis(
  endpoints: Endpoints,
  deps: AnalysisOptions & {
    database: Database
    clock: Clock
    storage: ObjectStorage
    tasks: Tasks
    workers: WorkerPool
    models: Models
  },
): Analysis {
  const { database, storage, tasks, chat, slicerPath, slicerLimits = SLICER_LIMITS } = deps

  const suggest = async (tx: Queryable, modelId: string): Promise<void> => {
    // Models in the trash get no suggestions. When a model is restored and its analysis has ended, the restore requests
    // them. The lock lets the restore and the end of the analysis run one after the other, so that the later one sees
    // the result of the earlier one.
    await lockModel(tx, modelId)
    if (chat === null) await completeSuggestions(tx, modelId, { suggestion: {} })
    else await tasks.enqueue(tx, SUGGEST_TASK, { modelId }, { singletonKey: modelId })
  }

  const definitions = createAnalysisTasks({
    ...deps,
    async onAnalyzed(tx, { versionId, modelIds }) {
      // Models are locked in the same order everywhere. Another order could deadlock.
      for (const id of modelIds.toSorted()) await suggest(tx, id)
      if (slicerPath !== null) await tasks.enqueue(tx, SLICE_TASK, { versionId }, { singletonKey: versionId })
    },
  })
  for (const definition of definitions) tasks.register(definition)
  tasks.register(createTurntableTask(deps))
  if (slicerPath !== null)
    tasks.register(createSliceTask({ database, storage, program: slicerPath, limits: slicerLimits }))
  tasks.register(createSuggestTask({ database, storage, endpoint: chat, complete: completeSuggestions }))
  addPictureRoutes(endpoints, deps)

  return {
    enqueueAnalysis: (tx, { versionId, triangles, waitingBefore }) =>
      tasks.enqueue(tx, analysisTaskOf(triangles), { versionId }, { priority: -waitingBefore }),
    wakeAnalysis: (triangles) => tasks.wake(analysisTaskOf(triangles)),
    suggest,
    async suggestOpen(tx, modelIds) {
      for (const id of await findUnsuggested(tx, modelIds)) await suggest(tx, id)
    },
  }
}
