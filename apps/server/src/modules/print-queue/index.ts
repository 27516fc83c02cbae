import { type Clock, MINUTE_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { addJobRoutes, addJobStepRoutes } from './jobs/jobs.routes.ts'
import { createJobs } from './jobs/jobs.service.ts'
import { addPrintAgentRoutes } from './agents/print-agents.routes.ts'
import { LOOK_FOR_SILENT_AGENTS_MS, createPrintAgents } from './agents/print-agents.service.ts'
import { addPrintQueueRoutes } from './jobs/job-list.routes.ts'
import { createPrintQueue } from './jobs/job-list.service.ts'
import { createSplitAndMerge } from './jobs/split-and-merge.service.ts'
import { createJobSteps } from './steps/steps.service.ts'
import { addPrinterPhotoRoutes } from './printers/printer-photos.routes.ts'
import { createPrinterPhotos } from './printers/printer-photos.service.ts'
import { addMaintenanceRoutes } from './printers/maintenance.routes.ts'
import { createPrinterMaintenance } from './printers/maintenance.service.ts'
import { addReplenishmentRoutes } from './replenishment/replenishment.routes.ts'
import { createReplenishment } from './replenishment/replenishment.service.ts'
import { createNightlyProposals } from './replenishment/proposals.service.ts'
import { createMachineSteps } from './printers/machine-steps.service.ts'
import { addMatchingRoutes } from './matching/matching.routes.ts'
import { createMatching } from './matching/matching.service.ts'
import { addProductionReportRoutes } from './report/production-report.routes.ts'
import { createProductionReport } from './report/production-report.service.ts'
import { createPlanner } from './schedule/planner.ts'
import { addScheduleRoutes } from './schedule/schedule.routes.ts'
import { createSchedule } from './schedule/schedule.service.ts'
import type { PrinterConnections } from './printers/network-printers.ts'
import { createPrinterKeys } from './printers/printer-keys.ts'
import { addMachineRoutes, addPrinterRoutes } from './printers/printers.routes.ts'
import { createPrinters } from './printers/printers.service.ts'

export { photoFiles } from './printers/printer-photos.service.ts'
export { type FailedPrintJob, claimFailedPrintJobs } from './steps/failed-jobs.queries.ts'
export { claimFinishedPrintJobs } from './steps/finished-jobs.queries.ts'
export { findJobHits } from './jobs/job-hits.queries.ts'
export { findPrinterHits } from './printers/printer-hits.queries.ts'
export { ensurePrinter } from './jobs/job-changes.queries.ts'
export { loadSpool } from './printers/load-spool.ts'
export { type PrintDay, readPrintDays, readQueueFigures } from './print-queue.stats.queries.ts'
export { type NewPrintJob, createPrintJob } from './jobs/create-job.ts'
export { moveDueDates } from './jobs/move-due-dates.ts'
export { type PlatePlan, planPlates, readPlateSizes, writeSentence } from './plate-plan/plan-plates.ts'
export {
  type OrderJobRow,
  type OrderPrintRow,
  listOrderPrints,
  listQueuedJobs,
  listUnfinishedJobs,
} from './report/order-prints.queries.ts'
export { listExtraPieces } from './plate-plan/extra-pieces.ts'
export { queuePlannedJobs } from './plate-plan/queue-planned-jobs.ts'
export { type JobStep, advancePrintJob } from './steps/advance-job.ts'
export {
  type PlateTool,
  type SpoolInSlot,
  findMainTool,
  placeTools,
  usedTools,
} from './matching/filament/place-tools.ts'
export { type NextPrint, listNextPrints } from './matching/next-prints.ts'
export { type Match, listMatches } from './matching/matching.service.ts'
export {
  type NetworkPrinter,
  type PrinterConnections,
  findNetworkPrinter,
  listNetworkPrinters,
  pinCertificate,
} from './printers/network-printers.ts'
export { type PrinterToChange, lockPrinter } from './printers/printers.queries.ts'
export { claimPrinterErrors, notePrinterError } from './printers/printer-errors.queries.ts'
export { type PrinterKeys, createPrinterKeys } from './printers/printer-keys.ts'
export {
  type PrinterStateChange,
  countEndedPlate,
  reasonToClear,
  setDeletedPrinterSeen,
  setPrinterCamera,
  setPrinterState,
} from './printers/printer-state.ts'
export { type PlateToStart, type StartedPlate, startPlate } from './plates/start-plate.ts'
export { type PlateReport, updatePlate } from './plates/report-plate.ts'
export {
  type PlateFailure,
  type PlateResult,
  cancelPlate,
  failPlate,
  finishPlate,
} from './plates/end-plate.ts'
export { isRefusedAgain } from './plates/give-up.ts'
export { hasRefused } from './plates/plates.queries.ts'
export { bookCancelledPlate, uncountUnstartedPlate } from './plates/book-cancelled.ts'
export type { CancelledUse } from './plates/use-of-cancelled.ts'
export { lockPlateWithJob } from './plates/lock-plate.ts'
export {
  type PlateRow,
  findPlateByRemoteName,
  findRunningPlate,
} from './plates/plates.queries.ts'

const LOOK_FOR_NIGHT_MS = MINUTE_MS

interface PrintQueueModule {
  /** Returns a job to the queue when its agent stops reporting. */
  leases: Poller
  /** Keeps the plan of the day up to date. */
  planner: Poller
  /** Proposes prints for low stock once a night. */
  nightlyProposals: Poller
  /** Removes photo files that no printer uses. Runs hourly. */
  removePhotoOrphans(): Promise<number>
}

/** Adds the print queue: jobs, printers and their results. */
export function addPrintQueue(
  endpoints: Endpoints,
  deps: {
    database: Database
    clock: Clock
    storage: ObjectStorage
    signer: PathSigner
    secret: RootSecret
    currency: string
    /** The connections to network printers. Null if the server does not connect to printers. */
    connections: PrinterConnections | null
    log: ServiceLog
  },
): PrintQueueModule {
  const { database, clock, storage, signer, secret, currency, connections, log } = deps
  addPrintQueueRoutes(endpoints, { queue: createPrintQueue({ database, clock }), signer, currency, clock })
  const jobRoutes = {
    jobs: createJobs(deps),
    steps: createJobSteps(deps),
    parts: createSplitAndMerge(deps),
    signer,
    currency,
  }
  addJobRoutes(endpoints, jobRoutes)
  addJobStepRoutes(endpoints, jobRoutes)
  const printers = createPrinters({ ...deps, keys: createPrinterKeys(secret) })
  const printerRoutes = {
    printers,
    machine: createMachineSteps({ database, clock, signer, currency, connections }),
    signer,
    clock,
    currency,
  }
  addPrinterRoutes(endpoints, printerRoutes)
  addMachineRoutes(endpoints, printerRoutes)
  const photos = createPrinterPhotos({ database, storage, clock })
  addPrinterPhotoRoutes(endpoints, { photos, storage, signer, clock, currency })
  addMaintenanceRoutes(endpoints, { maintenance: createPrinterMaintenance({ database, clock }) })
  addMatchingRoutes(endpoints, { matching: createMatching({ database }), signer, currency })
  const planner = createPlanner({ database, clock, log })
  addScheduleRoutes(endpoints, createSchedule({ database, signer, planner }))
  const proposals = createNightlyProposals({ database, clock, signer, currency })
  addReplenishmentRoutes(endpoints, {
    replenishment: createReplenishment({ database, clock, signer, currency }),
    proposals,
  })
  addProductionReportRoutes(endpoints, createProductionReport(deps))
  const agents = createPrintAgents({ database, clock })
  addPrintAgentRoutes(endpoints, { agents, storage })
  const leases = createPoller({
    name: 'jobs of silent agents',
    pauseMs: LOOK_FOR_SILENT_AGENTS_MS,
    work: () => agents.returnLapsed(),
    log,
  })
  const nightlyProposals = createPoller({
    name: 'nightly replenishment',
    pauseMs: LOOK_FOR_NIGHT_MS,
    work: () => proposals.runIfDue(),
    log,
  })
  return { leases, planner, nightlyProposals, removePhotoOrphans: () => photos.removeOrphans() }
}
