import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { addSliceRoutes } from './files/slices.routes.ts'
import { createSlices } from './files/slices.service.ts'
import { sweepSliceObjects } from './upload/slice-objects.ts'
import { createReadSlice } from './upload/slice-reader.ts'
import { createStoreSlices } from './upload/store-slices.ts'

export {
  type PrintableSlice,
  type SliceTool,
  type SliceCriteria,
  findBestSlice,
} from './matching/best-slice.queries.ts'
export { createSliceWorkers } from './upload/slice-reader.ts'

interface SlicesModule {
  /** Hourly: permanently removes slices that have been in the trash for 30 days and were never printed. */
  purgeTrash(): Promise<number>
  /** Hourly: removes stored bytes that no slice refers to. */
  removeOrphans(): Promise<number>
}

/** Sliced files of models: what printers print. */
export function addSlices(
  endpoints: Endpoints,
  deps: {
    database: Database
    clock: Clock
    storage: ObjectStorage
    signer: PathSigner
    workers: WorkerPool
    uploadLimitBytes: number
  },
): SlicesModule {
  const { workers, uploadLimitBytes } = deps
  const slices = createSlices(deps)
  const readSlice = createReadSlice(workers, { uploadLimitBytes })
  addSliceRoutes(endpoints, { ...deps, slices, readSlice, store: createStoreSlices(deps) })
  return {
    purgeTrash: () => slices.purge(),
    removeOrphans: () => sweepSliceObjects(deps),
  }
}
