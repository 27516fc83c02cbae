import { type AgentJob, type ClaimPrintJobBody, LEASE_SECONDS } from '@pegasus/contracts/print-queue/agents'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type Clock, SECOND_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type IdempotentCaller, fingerprintOf, writeBodyOnce } from '../../../platform/http/idempotency.ts'
import {
  type PlateFailure,
  type PlateResult,
  cancelPlate,
  failPlate,
  finishPlate,
} from '../plates/end-plate.ts'
import { bookLapsedPlate } from '../plates/book-cancelled.ts'
import { type ClaimedPlate, changePlate, findPlate, listPlatesOfKey } from '../plates/plates.queries.ts'
import { updatePlate } from '../plates/report-plate.ts'
import { startPlate } from '../plates/start-plate.ts'
import { factsOf, findJobToClaim } from './claim-job.ts'
import { type JobFile, findJobFile } from './claims.queries.ts'
import { type ReportedUse, readFileTools, resolveUse } from '../plates/used-by-tool.ts'
import {
  type LeaseRow,
  deleteLeaseOfPlate,
  findLease,
  insertLease,
  listLeases,
  lockEndedLease,
  lockLapsedLeases,
  renewLease,
} from './leases.queries.ts'
import { createLeaseWatch } from './lease-watch.ts'
import { createSilentPrinters } from './silent-printers.ts'
import { choosePlateOfKey } from './choose-plate-of-key.ts'
import { type AgentJobRow, presentAgentJob } from './print-agents.present.ts'
import { reopenPlate } from './reopen-plate.ts'
import { type JobToChange, lockJob } from '../jobs/job-changes.queries.ts'
import { auditJob, showJob } from '../jobs/live-job.ts'

const LEASE_MS = LEASE_SECONDS * SECOND_MS
/** The time between two checks of all leases. Not every process checks them, see `SERVER_ROLE`. */
export const LOOK_FOR_SILENT_AGENTS_MS = 5 * SECOND_MS
/**
 * Maximum number of jobs that are returned to the queue in one transaction. A higher number would lock much
 * of the queue.
 */
const RETURNED_AT_ONCE = 50

/** The reason of a plate that returned to the queue because its agent was silent. */
const reasonOfSilence = (agent: string): string => `${agent} stopped responding`

const STOP = 'This print was ended in Pegasus Ops. Stop the printer.'

/**
 * Returns whether a person has ended the plate of an agent, so that the agent must stop its printer. An agent that was
 * silent may continue to print even if its job was claimed again, unless the job was cancelled or deleted. `job` is
 * null for a deleted job.
 */
const isStopped = (plate: ClaimedPlate, job: Pick<JobToChange, 'status'> | null): boolean => {
  const isEnded = plate.state === 'cancelled' || plate.state === 'failed' || plate.state === 'done'
  const wasSilent = plate.lapsed_at !== null
  // A fingerprint means that the agent itself has ended the plate.
  return (
    isEnded && plate.report_fingerprint === null && (!wasSilent || job === null || job.status === 'cancelled')
  )
}

/** The calling agent: its API key, its claim, and the audit context. */
export interface AgentCaller {
  keyId: string
  leaseId?: string | undefined
  audit: AuditContext
}

/** An agent that ends a plate, with the `Idempotency-Key` of its report. */
export type ReportingAgent = AgentCaller & IdempotentCaller

/** An agent's report at the end of a plate. */
interface AgentReport {
  rejected?: number | undefined
  use?: ReportedUse | undefined
  printMinutes?: number | undefined
  /** Whether the bed is empty. */
  isCleared?: boolean | undefined
}

/**
 * The calls of printer agents. A claim gives the agent a lease. If the agent sends nothing until the lease ends, the
 * job returns to the queue. The next report of the agent takes the plate back, unless the plate was claimed again. All
 * calls with a `jobId` throw PRINT_JOB_NOT_FOUND, and PRINT_JOB_NOT_YOURS unless the caller holds the lease. Reports
 * also throw IDEMPOTENCY_KEY_REUSED.
 */
export interface PrintAgents {
  /**
   * Claims the next job that the named printer can print, by priority, position and age. Returns null if
   * there is none. Two callers never get the same plate. Throws PRINTER_BUSY while a plate is on that
   * printer, and PRINTER_STATE for a printer that the server itself runs.
   */
  claim(body: ClaimPrintJobBody, by: AgentCaller): Promise<AgentJobRow | null>
  /**
   * Renews the lease of the claim, and saves the progress (0 to 1). If a person has ended the print, the error response
   * contains the command `cancel`.
   */
  heartbeat(jobId: string, progress: number | undefined, by: AgentCaller): Promise<AgentJobRow>
  /**
   * Completes the plate. All pieces count as good unless counts are given. If the agent reports that the bed is not
   * empty, the printer has to be cleared. A repeated call changes nothing. Throws PRINT_JOB_INVALID.
   */
  complete(
    jobId: string,
    result: AgentReport & { good?: number | undefined; reason?: string | undefined },
    by: ReportingAgent,
  ): Promise<AgentJob>
  /** Reports that the print failed. A repeated call changes nothing. */
  fail(jobId: string, failure: AgentReport & { reason: string }, by: ReportingAgent): Promise<AgentJob>
  /** Returns the file to print. Throws PRINT_JOB_FILE_MISSING for a job without a model. */
  getFile(jobId: string, by: AgentCaller): Promise<JobFile>
  /**
   * Checks all leases. Returns the jobs of silent agents to the queue. Books the filament of silent agents whose jobs
   * have ended or were deleted. Shows a printer as offline if its agent has not called for some minutes. Returns the
   * number of leases.
   */
  returnLapsed(): Promise<number>
}

export function createPrintAgents(deps: { database: Database; clock: Clock }): PrintAgents {
  const { database, clock } = deps
  // The time of a lease is measured from the start of this process, because agents could not send heartbeats while the
  // server was down.
  const watch = createLeaseWatch({ clock, leaseMs: LEASE_MS, lookEveryMs: LOOK_FOR_SILENT_AGENTS_MS })
  const printers = createSilentPrinters({ database, clock, lookEveryMs: LOOK_FOR_SILENT_AGENTS_MS })
  const hear = (jobId: string, { keyId, leaseId, audit }: AgentCaller) =>
    printers.hear({ jobId, keyId, leaseId }, audit)

  const show = async (tx: Queryable, jobId: string, by: AgentCaller): Promise<AgentJobRow> => {
    const job = await showJob(tx, jobId)
    const lease = await findLease(tx, jobId, by)
    const file = await findJobFile(tx, jobId, lease?.plate_id ?? null)
    return { job, lease, file, tools: lease && file?.slice_id ? await readFileTools(tx, lease.plate_id) : [] }
  }

  const lock = async (tx: Queryable, jobId: string) =>
    orThrow(await lockJob(tx, jobId), 'PRINT_JOB_NOT_FOUND')

  /**
   * Returns the caller's claim. If its plate has returned to the queue, reopens the plate, unless it was claimed again.
   * Throws PRINT_JOB_NOT_FOUND, or PRINT_JOB_NOT_YOURS with the command `cancel` if the printer has to stop.
   */
  const getLease = async (tx: Queryable, jobId: string, by: AgentCaller): Promise<LeaseRow> => {
    const job = await lockJob(tx, jobId)
    const lease = job && (await findLease(tx, jobId, by))
    if (lease && (await reopenPlate(tx, lease.plate_id, by.audit))) return lease
    const [plate] = await listPlatesOfKey(tx, jobId, by)
    const stop = plate && isStopped(plate, job) ? { text: STOP, body: { command: 'cancel' } } : {}
    throw new AppError(job ? 'PRINT_JOB_NOT_YOURS' : 'PRINT_JOB_NOT_FOUND', stop)
  }

  /**
   * Returns the jobs of silent agents to the queue, and returns their number. This needs its own transaction, so that
   * it does not deadlock with a claim that locks another printer.
   */
  const returnSilent = async (now: Date): Promise<number> => {
    const ended = watch.listEnded()
    if (ended.length === 0) return 0
    return database.transaction(async (tx) => {
      const lapsed = await lockLapsedLeases(tx, ended, RETURNED_AT_ONCE)
      const by: AuditContext = { actor: SYSTEM_ACTOR, now }
      for (const { agent, plate_id: plateId, ...job } of lapsed) {
        const reason = reasonOfSilence(agent)
        await cancelPlate(tx, plateId, { reason, keepsLease: true }, by)
        await auditJob(tx, 'print_job.returned', job, { after: { reason, agent } }, by)
      }
      return lapsed.length
    })
  }

  /**
   * Books the filament of silent agents that cannot take their plates back. Each plate has its own transaction, because
   * it locks a printer and spools.
   */
  const bookEnded = async (now: Date): Promise<number> => {
    const ended = watch.listEnded()
    if (ended.length === 0) return 0
    const bookOne = async (tx: TransactionSql): Promise<boolean> => {
      const plateId = await lockEndedLease(tx, ended)
      if (plateId === null) return false
      await bookLapsedPlate(tx, plateId, { actor: SYSTEM_ACTOR, now })
      await deleteLeaseOfPlate(tx, plateId)
      return true
    }
    let booked = 0
    while (booked < RETURNED_AT_ONCE && (await database.transaction(bookOne))) booked += 1
    return booked
  }

  /**
   * Returns the plate to which a report applies, or null if the report repeats an earlier one. Throws
   * PRINT_JOB_NOT_YOURS.
   */
  const findReported = async (
    tx: Queryable,
    jobId: string,
    report: { end: 'done' | 'failed'; fingerprint: string },
    { keyId, leaseId, audit }: ReportingAgent,
  ) => {
    const plates = await listPlatesOfKey(tx, jobId, { keyId, leaseId })
    const plate = leaseId === undefined ? choosePlateOfKey(plates, { ...report, now: audit.now }) : plates[0]
    if (plate?.state === report.end) return null
    if (!plate?.has_lease || !(await reopenPlate(tx, plate.id, audit)))
      throw new AppError('PRINT_JOB_NOT_YOURS')
    return plate.id
  }

  /**
   * Ends a claimed plate. A repeated call changes nothing, even if a person has already ended the plate in the same
   * way.
   */
  const end = async (
    jobId: string,
    result: { use: ReportedUse | undefined } & (
      | { state: 'done'; with: PlateResult }
      | { state: 'failed'; with: PlateFailure }
    ),
    by: ReportingAgent,
  ): Promise<AgentJob> => {
    await hear(jobId, by)
    const { keyId, leaseId = null, idempotencyKey } = by
    const request = [`print-jobs/${result.state}`, jobId, keyId, leaseId, result.with, result.use ?? null]
    return writeBodyOnce({ database, clock }, by, request, async (tx) => {
      await lock(tx, jobId)
      // Reports with different keys are different reports, even if they are equal.
      const fingerprint = fingerprintOf(...request, idempotencyKey)
      const plateId = await findReported(tx, jobId, { end: result.state, fingerprint }, by)
      if (plateId === null) return presentAgentJob(await show(tx, jobId, by))
      const tools = result.use && (await resolveUse(tx, plateId, result.use))
      if (result.state === 'done')
        await finishPlate(tx, plateId, { ...result.with, ...(tools && { tools }) }, by.audit)
      else await failPlate(tx, plateId, { ...result.with, ...(tools && { tools }) }, by.audit)
      await changePlate(tx, plateId, { report_fingerprint: fingerprint })
      const ended = await show(tx, jobId, by)
      const { good_quantity: good, rejected_quantity: rejected, failure_reason: reason } = ended.job
      const after = { good_quantity: good, rejected_quantity: rejected, ...(reason !== null && { reason }) }
      const action = result.state === 'done' ? 'print_job.completed' : 'print_job.failed'
      await auditJob(tx, action, ended.job, { after }, by.audit)
      return presentAgentJob(ended)
    })
  }

  return {
    claim: async (body, by) => {
      const facts = factsOf(body)
      if (body.printer !== undefined) await printers.hear({ name: body.printer, facts }, by.audit)
      await returnSilent(by.audit.now)
      return database.transaction(async (tx) => {
        const { audit, keyId } = by
        const { agent } = body
        const { jobId, printerId, sliceId } = await findJobToClaim(tx, body, audit.now)
        if (jobId === null) return null
        const leaseId = uuidv7()
        const claim = { keyId, leaseId }
        const plate = { jobId, printerId, sliceId, agent, claim, state: 'printing' } as const
        const { plateId } = await startPlate(tx, plate, audit)
        const expiresAt = addMs(audit.now, LEASE_MS)
        await insertLease(tx, { id: leaseId, jobId, plateId, agent, keyId, now: audit.now, expiresAt })
        const claimed = await show(tx, jobId, { ...by, leaseId })
        if (claimed.lease) watch.note(claimed.lease)
        await auditJob(tx, 'print_job.claimed', claimed.job, { after: { agent } }, audit)
        return claimed
      })
    },

    heartbeat: async (jobId, progress, by) => {
      await hear(jobId, by)
      return database.transaction(async (tx) => {
        const { now } = by.audit
        const lease = await getLease(tx, jobId, by)
        await renewLease(tx, lease.id, { now, expiresAt: addMs(now, LEASE_MS) })
        if (progress !== undefined) await updatePlate(tx, lease.plate_id, { progress }, by.audit)
        const shown = await show(tx, jobId, by)
        if (shown.lease) watch.note(shown.lease)
        return shown
      })
    },

    complete: (jobId, { good, rejected, reason, use, printMinutes, isCleared = true }, by) => {
      const counts = { ...(good !== undefined && { good }), ...(rejected !== undefined && { rejected }) }
      const further = {
        isOnBed: !isCleared,
        ...(reason !== undefined && { reason }),
        ...(printMinutes !== undefined && { printMinutes }),
      }
      return end(jobId, { state: 'done', with: { ...counts, ...further }, use }, by)
    },

    fail: (jobId, { reason, rejected, use, printMinutes, isCleared = true }, by) => {
      const further = {
        isOnBed: !isCleared,
        ...(rejected !== undefined && { rejected }),
        ...(printMinutes !== undefined && { printMinutes }),
      }
      return end(jobId, { state: 'failed', with: { reason, ...further }, use }, by)
    },

    async getFile(jobId, by) {
      await hear(jobId, by)
      const { lease, file } = await show(database.sql, jobId, by)
      const plate = lease && (await findPlate(database.sql, lease.plate_id))
      // After its plate has returned to the queue, an agent must send a heartbeat before it may get the file again.
      if (!plate || plate.state === 'cancelled') throw new AppError('PRINT_JOB_NOT_YOURS')
      if (!file) throw new AppError('PRINT_JOB_FILE_MISSING')
      return file
    },

    async returnLapsed() {
      watch.noteAll(await listLeases(database.sql))
      const now = clock.now()
      const returned = (await returnSilent(now)) + (await bookEnded(now))
      await printers.showSilent(now)
      return returned
    },
  }
}
