import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { addJobRoutes, addJobStepRoutes } from './jobs/jobs.routes.ts'
import { createJobs } from './jobs/jobs.service.ts'
import { addPrintAgentRoutes } from './agents/print-agents.routes.ts'
import { createPrintAgents } from './agents/print-agents.service.ts'
import { addPrintQueueRoutes } from './jobs/job-list.routes.ts'
import { createPrintQueue } from './jobs/job-list.service.ts'
import { createJobSteps } from './steps/steps.service.ts'

export { type FailedPrintJob, claimFailedPrintJobs } from './steps/failed-jobs.queries.ts'
export { ensurePrinter } from './jobs/job-changes.queries.ts'
export { type PrintDay, readPrintDays, readQueueFigures } from './print-queue.stats.queries.ts'
export { type NewPrintJob, createPrintJob } from './jobs/create-job.ts'
export { type JobStep, advancePrintJob } from './steps/advance-job.ts'

const LOOK_FOR_SILENT_AGENTS_MS = 5 * SECOND_MS

interface PrintQueueModule {
  /** Returns jobs of silent agents to the queue. */
  leases: Poller
}

/** The print queue: jobs, printers and their results. */
export function addPrintQueue(
  endpoints: Endpoints,
  deps: { database: Database; clock: Clock; storage: ObjectStorage; signer: PathSigner; log: ServiceLog },
): PrintQueueModule {
  const { database, clock, storage, signer, log } = deps
  addPrintQueueRoutes(endpoints, { queue: createPrintQueue({ database }), signer, clock })
  const jobRoutes = { jobs: createJobs(deps), steps: createJobSteps(deps), signer }
  addJobRoutes(endpoints, jobRoutes)
  addJobStepRoutes(endpoints, jobRoutes)
  const agents = createPrintAgents({ database, clock })
  addPrintAgentRoutes(endpoints, { agents, storage })
  const leases = createPoller({
    name: 'jobs of silent agents',
    pauseMs: LOOK_FOR_SILENT_AGENTS_MS,
    work: () => agents.returnLapsed(),
    log,
  })
  return { leases }
}
