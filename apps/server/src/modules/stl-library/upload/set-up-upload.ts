import type { Clock } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { SafeFetch } from '../../../platform/outbound/safe-fetch.ts'
import type { Tasks } from '../../../platform/tasks/tasks.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { ARCHIVE_TASK, createArchiveTask } from '../imports/archive.task.ts'
import { FETCH_TASK, createFetchTask } from '../imports/fetch.task.ts'
import { createImportSteps } from '../imports/import-steps.service.ts'
import { addImportRoutes } from '../imports/imports.routes.ts'
import { createImports } from '../imports/imports.service.ts'
import { createRecognize } from '../imports/match-archive-entries.ts'
import { type Inspect, createInspect } from './inspection/inspection.ts'
import { type Uploads, createUploads } from './upload.service.ts'
import { type StoreModel, type StoreModelDeps, createStoreModel } from './store-model.ts'

interface IntakeParts {
  intake: Uploads
  inspect: Inspect
  keep: StoreModel
  /** Deletes archives from which nobody chose files. Runs hourly. */
  expireImports(): Promise<void>
}

/** Sets up direct uploads and imports. Models can be added to the library in no other way. */
export function setUpUpload(
  endpoints: Endpoints,
  deps: StoreModelDeps & {
    clock: Clock
    tasks: Tasks
    fetcher: SafeFetch
    /** Threads that inspect received files. */
    inspectors: WorkerPool
    uploadLimitBytes: number
  },
): IntakeParts {
  const { database, clock, storage, tasks, fetcher, inspectors, uploadLimitBytes } = deps
  const inspect = createInspect(inspectors, { uploadLimitBytes })
  const recognize = createRecognize({ database, inspectors })
  const keep = createStoreModel(deps)
  const common = { database, clock, storage, inspect, keep, uploadLimitBytes }
  tasks.register(createFetchTask({ ...common, fetcher, recognize }))
  tasks.register(createArchiveTask(common))
  const enqueue =
    (name: string) =>
    (tx: Queryable, importId: string, openBefore = 0) =>
      tasks.enqueue(tx, name, { importId }, { singletonKey: importId, priority: -openBefore })
  const queues = {
    enqueueFetch: enqueue(FETCH_TASK),
    enqueueArchive: enqueue(ARCHIVE_TASK),
    wakeFetch: () => tasks.wake(FETCH_TASK),
    wake: () => [FETCH_TASK, ARCHIVE_TASK].forEach((name) => tasks.wake(name)),
  }
  const imports = createImports({ database, clock, storage, fetcher, recognize, ...queues })
  const steps = createImportSteps({ database, clock, storage, fetcher, ...queues })
  addImportRoutes(endpoints, { imports, steps })
  return {
    inspect,
    keep,
    intake: createUploads({ clock, keep, imports }),
    expireImports: () => steps.expire(),
  }
}
