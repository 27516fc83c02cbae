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
import { createSliceTask, SLICE_TASK } from './slicer/slice.task.ts'
import type { ChatEndpoint } from './suggestions/chat-endpoint.ts'
import { concludeSuggestions } from './suggestions/save-suggestions.ts'
import { createSuggestTask, SUGGEST_TASK } from './suggestions/suggest.task.ts'
import { findUnsuggested, holdModel } from './suggestions/suggestions.queries.ts'

export interface AnalysisOptions {
  /** A PrusaSlicer-compatible program; null where there is none. */
  slicerPath: string | null
  slicerLimits?: SlicerLimits | undefined
  /** Who proposes titles, tags and descriptions; null where geometry has to do. */
  chat: ChatEndpoint | null
}

interface Analysis {
  enqueueAnalysis(
    tx: Queryable,
    version: { versionId: string; triangles: number; waitingBefore: number },
  ): Promise<void>
  wakeAnalysis(triangles: number): void
  /** Proposes what a person left empty of a model that is measured and drawn already. */
  suggest(tx: Queryable, modelId: string): Promise<void>
  /**
   * Proposes what is still wanted of models that are locked and whose file is measured: they come out of the bin, or stand
   * for another version.
   */
  suggestOpen(tx: Queryable, modelIds: readonly string[]): Promise<void>
}

/** All that is found out about a model after it has been stored. */
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
    // Nothing is proposed for what lies in the bin; restoring it asks again, if the analysis has ended by then. Whoever of
    // the two comes second sees what the first has done.
    await holdModel(tx, modelId)
    if (chat === null) await concludeSuggestions(tx, modelId, { suggestion: {} })
    else await tasks.enqueue(tx, SUGGEST_TASK, { modelId }, { singletonKey: modelId })
  }

  const definitions = createAnalysisTasks({
    ...deps,
    async onAnalysed(tx, { versionId, modelIds }) {
      // In the order in which all hold models, or two would wait for each other.
      for (const id of modelIds.toSorted()) await suggest(tx, id)
      if (slicerPath !== null) await tasks.enqueue(tx, SLICE_TASK, { versionId }, { singletonKey: versionId })
    },
  })
  for (const definition of definitions) tasks.register(definition)
  tasks.register(createTurntableTask(deps))
  if (slicerPath !== null)
    tasks.register(createSliceTask({ database, storage, program: slicerPath, limits: slicerLimits }))
  tasks.register(createSuggestTask({ database, storage, endpoint: chat, conclude: concludeSuggestions }))
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
