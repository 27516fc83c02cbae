import { type Clock, MINUTE_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import type { Tasks } from '../../platform/tasks/tasks.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { addSliceRoutes } from './files/slices.routes.ts'
import { createSlices } from './files/slices.service.ts'
import { sweepSliceObjects } from './upload/slice-objects.ts'
import { createSlicerProfiles } from './slicing/profiles.service.ts'
import { addSlicingRoutes } from './slicing/slicing.routes.ts'
import { createSlicingTask } from './slicing/slicing.task.ts'
import { createSlicings } from './slicing/slicings.service.ts'
import { SLICER_LIMITS, type SlicerLimits } from '../stl-library/index.ts'
import { createReadSlice } from './upload/slice-reader.ts'
import { createStoreSlices } from './upload/store-slices.ts'

export {
  type PrintableSlice,
  type SliceTool,
  type SliceCriteria,
  findBestSlice,
  fitsBed,
  isOfMaterial,
  isPlacedOn,
  usesOnly,
} from './matching/best-slice.queries.ts'
export { sliceFiles } from './upload/slice-objects.ts'
export { createSliceWorkers } from './upload/slice-reader.ts'

/**
 * The deadline is longer than for an estimate, because slicing a plate of many pieces takes longer than slicing one
 * piece.
 */
const SLICING_LIMITS: SlicerLimits = { ...SLICER_LIMITS, deadlineMs: 10 * MINUTE_MS }

interface SlicesModule {
  /** Permanently removes slices that have been in the trash for 30 days and were never printed. Runs hourly. */
  purgeTrash(): Promise<number>
  /** Removes stored bytes that no slice refers to. Runs hourly. */
  removeOrphans(): Promise<number>
  /** Deletes the records of slicings that ended long ago. Runs hourly. */
  forgetSlicings(): Promise<void>
}

/** Adds the sliced files of models, which are the files that printers print. */
export function addSlices(
  endpoints: Endpoints,
  deps: {
    database: Database
    clock: Clock
    storage: ObjectStorage
    signer: PathSigner
    tasks: Tasks
    workers: WorkerPool
    uploadLimitBytes: number
    /** Path of a PrusaSlicer-compatible program, or null if the server has none. */
    slicerPath: string | null
    slicerLimits?: SlicerLimits | undefined
  },
): SlicesModule {
  const { workers, uploadLimitBytes, slicerPath, slicerLimits = SLICING_LIMITS } = deps
  const slices = createSlices(deps)
  const readSlice = createReadSlice(workers, { uploadLimitBytes })
  const store = createStoreSlices(deps)
  addSliceRoutes(endpoints, { ...deps, slices, readSlice, store })
  const isAvailable = slicerPath !== null
  const slicings = createSlicings({ ...deps, isAvailable })
  if (slicerPath !== null)
    deps.tasks.register(
      createSlicingTask({ ...deps, readSlice, store, program: slicerPath, limits: slicerLimits }),
    )
  addSlicingRoutes(endpoints, { profiles: createSlicerProfiles(deps), slicings, isAvailable })
  return {
    purgeTrash: () => slices.purge(),
    removeOrphans: () => sweepSliceObjects(deps),
    forgetSlicings: () => slicings.purge(),
  }
}
