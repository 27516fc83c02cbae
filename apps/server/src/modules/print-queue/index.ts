import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { type Rounds, createRounds } from '../../platform/rounds.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { addJobKeepingRoutes, addJobStepRoutes } from './keeping.routes.ts'
import { createJobKeeping } from './keeping.service.ts'
import { addPrintAgentRoutes } from './print-agents.routes.ts'
import { createPrintAgents } from './print-agents.service.ts'
import { addPrintQueueRoutes } from './print-queue.routes.ts'
import { createPrintQueue } from './print-queue.service.ts'
import { createJobSteps } from './steps.service.ts'

export { type FailedPrintJob, takeFailedPrintJobs } from './failed-jobs.queries.ts'
export { ensurePrinter } from './print-jobs.queries.ts'
export { type PrintDay, readPrintDays, readQueueFigures } from './print-queue.figures.ts'
export { type NewPrintJob, createPrintJob } from './add-job.ts'
export { type JobStep, advancePrintJob } from './advance-job.ts'

const LOOK_FOR_SILENT_AGENTS_MS = 5 * SECOND_MS

interface PrintQueueModule {
  /** Puts jobs back into the queue whose agents fell silent. */
  leases: Rounds
}

/** What is to be printed, on what, and how it went. */
export function addPrintQueue(
  endpoints: Endpoints,
  deps: { database: Database; clock: Clock; storage: ObjectStorage; signer: PathSigner; log: ServiceLog },
): PrintQueueModule {
  const { database, clock, storage, signer, log } = deps
  addPrintQueueRoutes(endpoints, { queue: createPrintQueue({ database }), signer, clock })
  const people = { keeping: createJobKeeping(deps), steps: createJobSteps(deps), clock, signer }
  addJobKeepingRoutes(endpoints, people)
  addJobStepRoutes(endpoints, people)
  const agents = createPrintAgents({ database, clock })
  addPrintAgentRoutes(endpoints, { agents, storage, clock })
  const leases = createRounds({
    name: 'jobs of silent agents',
    pauseMs: LOOK_FOR_SILENT_AGENTS_MS,
    work: () => agents.returnLapsed(),
    log,
  })
  return { leases }
}
