import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { SafeFetch } from '../../platform/outbound/safe-fetch.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import type { ResumableUploads } from '../../platform/resumable/resumable-uploads.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import type { Tasks } from '../../platform/tasks/tasks.ts'
import { type WorkerPool, createWorkerPool } from '../../platform/workers/worker-pool.ts'
import { type AnalysisOptions, setUpAnalysis } from './analysis/set-up-analysis.ts'
import { removeForgottenFolders } from './analysis/slicer/run-slicer.ts'
import { addSearchRoutes } from './search/search.routes.ts'
import { createSearch } from './search/search.service.ts'
import { createSavedSearches } from './search/saved-searches.service.ts'
import { setUpUpload } from './upload/set-up-upload.ts'
import { addModelRoutes } from './models/model-changes.routes.ts'
import { createModelChanges } from './models/model-changes.service.ts'
import { purgeTrash } from './models/purge-trash.service.ts'
import { createUses } from './models/model-uses.service.ts'
import { createVersions } from './models/model-versions.service.ts'
import { createModels } from './models/models.service.ts'
import { addStlLibraryRoutes } from './stl-library.routes.ts'
import { addResumableUploadRoutes } from './upload/resumable-upload.ts'
import { sweepOrphans } from './upload/stored-bytes.ts'

export { libraryFiles } from './upload/stored-bytes.ts'
export { displayFileName, formFileName } from './upload/file-name.ts'
export { type SlicerLimits, SLICER_LIMITS, sliceModel } from './analysis/slicer/run-slicer.ts'
export { SlicerError } from './analysis/slicer/slicer-error.ts'
export { createInspectionWorkers } from './upload/inspection/inspection.ts'
export { describeShape } from './analysis/suggestions/describe-shape.ts'
export { type GateReason, type SaleGate, readSaleGate } from './models/license-gate.ts'
export { modelPath } from './models/model-path.ts'
export { picturePathOf, presentModel } from './models/models.present.ts'
export { createFindModelHits } from './search/model-hits.ts'
export { findModel } from './models/models.queries.ts'
export { readModelDays, readModelFigures } from './models/models.stats.queries.ts'

/** Creates the threads that measure and draw models. The first thread starts when the first model arrives. */
export const createAnalysisWorkers = (log: ServiceLog): WorkerPool =>
  createWorkerPool({
    entry: new URL('./analysis/analysis.worker.ts', import.meta.url),
    maxThreads: 2,
    maxQueue: 100,
    memoryLimitMb: 2048,
    log,
  })

interface StlLibraryModule {
  /** Removes stored bytes that no model refers to, and files left by killed slicers. Runs hourly. */
  removeOrphans(): Promise<number>
  /** Permanently removes unused models that have been in the trash for 30 days. Runs hourly. */
  purgeTrash(): Promise<number>
  /** Deletes archives from which nobody chose files. Runs hourly. */
  expireImports(): Promise<void>
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
    inspectors: WorkerPool
    fetcher: SafeFetch
    signer: PathSigner
    uploadLimitBytes: number
    uploads: ResumableUploads
  } & AnalysisOptions,
): StlLibraryModule {
  const { database, clock, storage, signer, uploadLimitBytes } = deps
  const models = createModels({ database })
  const analysis = setUpAnalysis(endpoints, { ...deps, models })
  const { intake, inspect, keep, expireImports } = setUpUpload(endpoints, { ...deps, ...analysis })
  addStlLibraryRoutes(endpoints, {
    models,
    intake,
    inspect,
    storage,
    signer,
    uploadLimitBytes,
    clock,
  })
  addResumableUploadRoutes(endpoints, { ...deps, intake, inspect })
  addSearchRoutes(endpoints, {
    finding: createSearch({ database }),
    savedSearches: createSavedSearches({ database, clock }),
    signer,
    clock,
  })
  addModelRoutes(endpoints, {
    uses: createUses({ database }),
    changes: createModelChanges({ database, signer, suggestOpen: analysis.suggestOpen }),
    versions: createVersions({ database, clock, keep, signer, suggestOpen: analysis.suggestOpen }),
    storage,
    signer,
    inspect,
    uploadLimitBytes,
  })
  return {
    async removeOrphans() {
      await removeForgottenFolders()
      return sweepOrphans({ database, storage, clock })
    },
    purgeTrash: () => purgeTrash({ database, clock, storage }),
    expireImports,
  }
}
