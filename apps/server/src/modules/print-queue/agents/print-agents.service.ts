import { LEASE_SECONDS } from '@pegasus/contracts/print-queue/agents'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type Clock, SECOND_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { type JobStep, advancePrintJob } from '../steps/advance-job.ts'
import {
  type JobFile,
  type LeaseRow,
  deleteLease,
  findJobFile,
  findActorOf,
  findLease,
  insertLease,
  lockLapsedLeases,
  lockNextPending,
  renewLease,
  saveProgress,
} from './leases.queries.ts'
import { type JobToChange, lockJob } from '../jobs/job-changes.queries.ts'
import { type PrintJobRow, findJobRow } from '../jobs/job-list.queries.ts'

const LEASE_MS = LEASE_SECONDS * SECOND_MS
/** Limit, so that one transaction does not lock half the queue. */
const RETURNED_AT_ONCE = 50

/** The calling agent: its key, its claim, and the context for the audit. */
export interface AgentCaller {
  keyId: string
  leaseId?: string | undefined
  audit: AuditContext
}

/** A job in the form an agent receives it. */
export interface AgentJobRow {
  job: PrintJobRow
  lease: LeaseRow | null
  file: JobFile | null
}

/**
 * The printers' side of the queue. A claim is a lease: an agent that stays silent longer than its lease loses the
 * job, which returns to the queue. All calls except the claim throw PRINT_JOB_NOT_FOUND, and PRINT_JOB_NOT_YOURS
 * unless the caller holds the lease.
 */
export interface PrintAgents {
  /**
   * The next pending job by priority, position and age, or null if there is none. No two callers get the same job.
   */
  claim(agent: string, by: AgentCaller): Promise<AgentJobRow | null>
  heartbeat(jobId: string, progress: number | undefined, by: AgentCaller): Promise<AgentJobRow>
  /** All pieces count as good unless stated. A repeat changes nothing. Throws PRINT_JOB_INVALID. */
  complete(
    jobId: string,
    counts: { good?: number | undefined; rejected?: number | undefined },
    by: AgentCaller,
  ): Promise<AgentJobRow>
  /** A repeat changes nothing. */
  fail(
    jobId: string,
    failure: { reason: string; rejected?: number | undefined },
    by: AgentCaller,
  ): Promise<AgentJobRow>
  /** Throws PRINT_JOB_FILE_MISSING for a job without a model. */
  getFile(jobId: string, by: AgentCaller): Promise<JobFile>
  /** Returns jobs of silent agents to the queue. Returns how many. */
  returnLapsed(): Promise<number>
}

export function createPrintAgents(deps: { database: Database; clock: Clock }): PrintAgents {
  const { database, clock } = deps

  const show = async (tx: Queryable, jobId: string): Promise<AgentJobRow> => {
    const job = await findJobRow(tx, jobId)
    if (!job) throw new AppError('PRINT_JOB_NOT_FOUND')
    return { job, lease: await findLease(tx, jobId), file: await findJobFile(tx, jobId) }
  }

  const lock = async (tx: Queryable, jobId: string): Promise<JobToChange> => {
    const job = await lockJob(tx, jobId)
    if (!job) throw new AppError('PRINT_JOB_NOT_FOUND')
    return job
  }

  const assertHolds = (lease: LeaseRow | null, by: AgentCaller): void => {
    const isTheirs = lease?.api_key_id === by.keyId && (by.leaseId === undefined || by.leaseId === lease.id)
    // The first to notice ends an expired lease; until then it is invalid all the same.
    if (!isTheirs || new Date(lease.expires_at) <= by.audit.now) throw new AppError('PRINT_JOB_NOT_YOURS')
  }

  const auditJob = (
    tx: Queryable,
    action: AuditEvent['action'],
    job: Pick<PrintJobRow, 'id' | 'label_code'>,
    after: NonNullable<AuditEvent['after']>,
    by: AuditContext,
  ) =>
    writeAudit(tx, { action, entity: 'print_job', entityId: job.id, entityName: job.label_code, after }, by)

  const returnLapsed = async (tx: TransactionSql, now: Date): Promise<number> => {
    const lapsed = await lockLapsedLeases(tx, now, RETURNED_AT_ONCE)
    const by: AuditContext = { actor: SYSTEM_ACTOR, now }
    for (const { agent, is_printing: isPrinting, ...job } of lapsed) {
      // A job that was deleted meanwhile only loses its lease.
      if (!isPrinting) await deleteLease(tx, job.id)
      else {
        const reason = `${agent} fell silent`
        await advancePrintJob(tx, job.id, { to: 'pending', reason }, by)
        await auditJob(tx, 'print_job.returned', job, { reason, agent }, by)
      }
    }
    return lapsed.length
  }

  /** Ends a claimed job once. The caller may repeat the call, and so may the agent if a person completed the job. */
  const end = (jobId: string, step: JobStep & { to: 'completed' | 'failed' }, by: AgentCaller) =>
    database.transaction(async (tx) => {
      const job = await lock(tx, jobId)
      if (job.status === step.to) {
        const said = step.to === 'completed' ? 'in_progress' : 'failed'
        if ((await findActorOf(tx, jobId, said)) !== by.keyId) throw new AppError('PRINT_JOB_NOT_YOURS')
        return show(tx, jobId)
      }
      assertHolds(await findLease(tx, jobId), by)
      await advancePrintJob(tx, jobId, step, by.audit)
      const ended = await show(tx, jobId)
      const { good_quantity: good, rejected_quantity: rejected, failure_reason: reason } = ended.job
      const after = { good_quantity: good, rejected_quantity: rejected, ...(reason !== null && { reason }) }
      await auditJob(tx, `print_job.${step.to}`, ended.job, after, by.audit)
      return ended
    })

  return {
    claim: (agent, by) =>
      database.transaction(async (tx) => {
        const { audit, keyId } = by
        await returnLapsed(tx, audit.now)
        const jobId = await lockNextPending(tx)
        if (jobId === null) return null
        await advancePrintJob(tx, jobId, { to: 'in_progress', agent }, audit)
        const expiresAt = addMs(audit.now, LEASE_MS)
        await insertLease(tx, { id: uuidv7(), jobId, agent, keyId, now: audit.now, expiresAt })
        const claimed = await show(tx, jobId)
        await auditJob(tx, 'print_job.claimed', claimed.job, { agent }, audit)
        return claimed
      }),

    heartbeat: (jobId, progress, by) =>
      database.transaction(async (tx) => {
        const { now } = by.audit
        await lock(tx, jobId)
        assertHolds(await findLease(tx, jobId), by)
        await renewLease(tx, jobId, { now, expiresAt: addMs(now, LEASE_MS) })
        if (progress !== undefined && (await saveProgress(tx, jobId, progress, now)))
          await publish(tx, { type: 'updated', entity: 'print_job', id: jobId })
        return show(tx, jobId)
      }),

    complete: (jobId, { good, rejected }, by) =>
      end(
        jobId,
        {
          to: 'completed',
          ...(good !== undefined && { good }),
          ...(rejected !== undefined && { rejected }),
        },
        by,
      ),

    fail: (jobId, { reason, rejected }, by) =>
      end(jobId, { to: 'failed', reason, ...(rejected !== undefined && { rejected }) }, by),

    async getFile(jobId, by) {
      const { lease, file } = await show(database.sql, jobId)
      assertHolds(lease, by)
      if (!file) throw new AppError('PRINT_JOB_FILE_MISSING')
      return file
    },

    returnLapsed: () => database.transaction((tx) => returnLapsed(tx, clock.now())),
  }
}
