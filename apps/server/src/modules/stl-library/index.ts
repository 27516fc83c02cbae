import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import type { Tasks } from '../../platform/tasks/tasks.ts'
import { type WorkerPool, createWorkerPool } from '../../platform/workers/worker-pool.ts'
import { analysisTaskOf, createAnalysisTasks } from './analysis/analysis.task.ts'
import { createIntake } from './intake/intake.service.ts'
import { createModels } from './models/models.service.ts'
import { addStlLibraryRoutes } from './stl-library.routes.ts'
import { sweepOrphans } from './intake/stored-bytes.ts'

export { attachmentHeader } from './intake/file-name.ts'
export { readModelDays, readModelFigures } from './models/models.figures.ts'

const WORKER_MEMORY_MB = 2048
const WORKER_IDLE_MS = 30_000

/** Threads that measure and draw; none exists until the first model arrives. */
export const createAnalysisWorkers = (log: ServiceLog): WorkerPool =>
  createWorkerPool({
    entry: new URL('./analysis/analysis.worker.ts', import.meta.url),
    maxThreads: 2,
    maxQueue: 100,
    memoryLimitMb: WORKER_MEMORY_MB,
    idleTimeoutMs: WORKER_IDLE_MS,
    log,
  })

interface StlLibraryModule {
  /** For every hour: removes stored bytes that no model stands for. */
  removeOrphans(): Promise<number>
}

/** The STL library: models, their files, measures and pictures. */
export function addStlLibrary(
  endpoints: Endpoints,
  deps: {
    database: Database
    clock: Clock
    storage: ObjectStorage
    tasks: Tasks
    workers: WorkerPool
    signer: PathSigner
    uploadLimitBytes: number
  },
): StlLibraryModule {
  const { database, clock, storage, tasks, workers, signer, uploadLimitBytes } = deps
  for (const definition of createAnalysisTasks({ database, storage, workers })) tasks.register(definition)
  const intake = createIntake({
    database,
    clock,
    storage,
    signer,
    enqueueAnalysis: (tx, { versionId, triangles, waitingBefore }) =>
      tasks.enqueue(tx, analysisTaskOf(triangles), { versionId }, { priority: -waitingBefore }),
    wakeAnalysis: (triangles) => tasks.wake(analysisTaskOf(triangles)),
  })
  addStlLibraryRoutes(endpoints, {
    models: createModels({ database }),
    intake,
    storage,
    signer,
    uploadLimitBytes,
  })
  return { removeOrphans: () => sweepOrphans({ database, storage, clock }) }
}
