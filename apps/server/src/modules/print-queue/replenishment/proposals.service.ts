import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type {
  AcceptReplenishmentBody,
  ReplenishmentProposals,
  ReplenishmentSchedule,
} from '@pegasus/contracts/print-queue/replenishment'
import type { AuditContext } from '../../../platform/actor.ts'
import { dateIn, hourIn } from '../../../platform/calendar.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type IdempotentCaller, writeBodyOnce } from '../../../platform/http/idempotency.ts'
import { writeAudit, writeAudits } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { picturePathOf } from '../../stl-library/index.ts'
import type { JobPresentation } from '../jobs/jobs.present.ts'
import { queuePlannedJobs } from '../plate-plan/queue-planned-jobs.ts'
import {
  type ProposalCounts,
  type ProposalRow,
  type ProposalState,
  claimNight,
  decideProposals,
  findLastNight,
  findOpenItems,
  isNightDone,
  listOpenProposals,
  lockProposals,
  lockSchedule,
  readSchedule,
  saveProposals,
  saveSchedule,
  settleProposals,
} from './proposals.queries.ts'
import { lockReplenishment } from './replenishment.queries.ts'
import { piecesToQueue, readReplenishment } from './replenishment.service.ts'

/** Proposes prints for low stock each night, and carries out what people decide about the proposals. */
export interface NightlyProposals {
  /** Proposes prints for low items once a night. Does nothing before the scheduled hour. */
  runIfDue(): Promise<void>
  /**
   * Proposes prints for low items at once. The next nightly run happens as usual. The audit names the caller if a
   * proposal was added, changed or closed. Throws IDEMPOTENCY_KEY_REUSED.
   */
  proposeNow(by: IdempotentCaller): Promise<ReplenishmentProposals>
  /** Returns the open proposals whose pieces are still missing, and the schedule of the nightly run. */
  list(): Promise<ReplenishmentProposals>
  /**
   * Queues the jobs of proposals. Throws PROPOSAL_NOT_FOUND, IDEMPOTENCY_KEY_REUSED, or PROPOSAL_DECIDED if a proposal
   * is not open or its item no longer has missing pieces.
   */
  accept(items: AcceptReplenishmentBody['items'], by: IdempotentCaller): Promise<PrintJob[]>
  /** Dismisses open proposals. Throws PROPOSAL_NOT_FOUND or PROPOSAL_DECIDED. */
  dismiss(ids: readonly string[], by: AuditContext): Promise<ReplenishmentProposals>
  /**
   * Reopens dismissed proposals. Throws PROPOSAL_NOT_FOUND, or PROPOSAL_DECIDED if a proposal was not dismissed or its
   * item has a new open proposal.
   */
  restore(ids: readonly string[], by: AuditContext): Promise<ReplenishmentProposals>
  /** Saves the schedule. Throws INVALID_INPUT for an unknown time zone. */
  setSchedule(schedule: ReplenishmentSchedule, by: AuditContext): Promise<ReplenishmentSchedule>
}

const byId = <T extends { inventory_item_id: string }>(lines: readonly T[]) =>
  new Map(lines.map((line) => [line.inventory_item_id, line]))

export function createNightlyProposals(
  deps: JobPresentation & { database: Database; clock: Clock },
): NightlyProposals {
  const { database, clock, signer } = deps
  const { sql } = database

  /**
   * Returns the date of the current night in the schedule's time zone. Returns null before the scheduled hour, or if no
   * hour is set.
   */
  const nightOf = ({ hour, time_zone: timeZone }: ReplenishmentSchedule, now: Date): string | null =>
    hour !== null && (hourIn(now, timeZone) ?? -1) >= hour ? dateIn(now, timeZone) : null

  const readList = async (tx: Queryable): Promise<ReplenishmentProposals> => {
    const [schedule, lastNightAt, rows] = await Promise.all([
      readSchedule(tx),
      findLastNight(tx),
      listOpenProposals(tx),
    ])
    const proposed = new Map(rows.map((row) => [row.item_id, row]))
    const { items } = rows.length === 0 ? { items: [] } : await readReplenishment(tx, [...proposed.keys()])
    return {
      schedule,
      last_night_at: lastNightAt,
      proposals: items.flatMap(({ picture, ...line }) => {
        const row = proposed.get(line.inventory_item_id)
        if (!row || line.missing === 0) return []
        const { id, proposed_at: proposedAt } = row
        return [
          {
            ...line,
            id,
            proposed_at: proposedAt,
            stl_thumbnail_path: picture && picturePathOf(signer, picture),
          },
        ]
      }),
    }
  }

  const list = () => readList(sql)

  /** Locks the proposals and checks their state. Throws PROPOSAL_NOT_FOUND or PROPOSAL_DECIDED. */
  const hold = async (
    tx: Queryable,
    ids: readonly string[],
    state: ProposalState,
  ): Promise<ProposalRow[]> => {
    const rows = await lockProposals(tx, ids)
    if (rows.length < new Set(ids).size) throw new AppError('PROPOSAL_NOT_FOUND')
    if (rows.some((row) => row.state !== state)) throw new AppError('PROPOSAL_DECIDED')
    return rows
  }

  const decide = async (
    ids: readonly string[],
    { from, to }: { from: ProposalState; to: 'dismissed' | 'open' },
    by: AuditContext,
  ): Promise<ReplenishmentProposals> => {
    await database.transaction(async (tx) => {
      await lockReplenishment(tx)
      const rows = await hold(tx, ids, from)
      const itemIds = rows.map(({ item_id: id }) => id)
      // A later nightly run may have proposed the item again.
      if (to === 'open' && (await findOpenItems(tx, itemIds)).length > 0)
        throw new AppError('PROPOSAL_DECIDED')
      await decideProposals(tx, ids, { state: to, now: by.now })
      const action = to === 'dismissed' ? 'replenishment.dismissed' : 'replenishment.restored'
      await writeAudits(
        tx,
        rows.map(({ item_id: entityId, item_name: entityName }) => ({
          action,
          entity: 'inventory_item',
          entityId,
          entityName,
        })),
        by,
      )
      await announce(tx, itemIds)
    })
    return list()
  }

  /** Proposes prints for all low items, and closes the proposals of all other items. */
  const propose = async (tx: Queryable, now: Date): Promise<ProposalCounts> => {
    await lockReplenishment(tx)
    const { items } = await readReplenishment(tx, null)
    const missing = items
      .filter((line) => line.missing > 0)
      .map((line) => ({ itemId: line.inventory_item_id, missing: line.missing }))
    const ids = missing.map(({ itemId }) => itemId)
    const closed = await settleProposals(tx, ids, now)
    const saved = await saveProposals(tx, missing, now)
    await announce(tx, ids)
    return { ...saved, closed }
  }

  return {
    list,

    proposeNow: (by) =>
      writeBodyOnce({ database, clock }, by, ['replenishment/propose'], async (tx, { audit }) => {
        const counts = await propose(tx, audit.now)
        const event = { action: 'replenishment.proposed', entity: 'inventory', entityId: null } as const
        if (Object.values(counts).some((count) => count > 0))
          await writeAudit(tx, { ...event, after: { ...counts } }, audit)
        return readList(tx)
      }),

    async runIfDue() {
      const now = clock.now()
      const night = nightOf(await readSchedule(sql), now)
      if (night === null || (await isNightDone(sql, night))) return
      await database.transaction(async (tx) => {
        if (await claimNight(tx, night, now)) await propose(tx, now)
      })
    },

    accept: (chosen, by) =>
      writeBodyOnce({ database, clock }, by, ['replenishment/accept', chosen], async (tx) => {
        await lockReplenishment(tx)
        const ids = chosen.map(({ id }) => id)
        const rows = await hold(tx, ids, 'open')
        const quantities = new Map(chosen.map(({ id, quantity }) => [id, quantity]))
        const { items, sizes } = await readReplenishment(
          tx,
          rows.map(({ item_id: id }) => id),
        )
        const lines = byId(items)
        const planned = rows.map(({ id, item_id: itemId, item_name: name }) => {
          // Somebody may have queued the pieces after a person entered this number.
          const missing = lines.get(itemId)?.missing ?? 0
          if (missing === 0)
            throw new AppError('PROPOSAL_DECIDED', { text: `No pieces of “${name}” are missing now.` })
          return { itemId, quantity: quantities.get(id) ?? piecesToQueue(missing), size: sizes.get(itemId) }
        })
        const jobs = await queuePlannedJobs(tx, planned, deps, by.audit)
        const jobOf = new Map(jobs.map((job) => [job.inventory_item_id, job.id]))
        await decideProposals(
          tx,
          rows.map(({ id }) => id),
          {
            state: 'accepted',
            now: by.audit.now,
            jobIds: rows.map(({ item_id: id }) => jobOf.get(id) ?? ''),
          },
        )
        return jobs
      }),

    dismiss: (ids, by) => decide(ids, { from: 'open', to: 'dismissed' }, by),

    restore: (ids, by) => decide(ids, { from: 'dismissed', to: 'open' }, by),

    async setSchedule(schedule, by) {
      if (dateIn(by.now, schedule.time_zone) === null)
        throw new AppError('INVALID_INPUT', {
          text: 'time_zone is not a known time zone',
          errors: [{ path: 'time_zone', message: 'time_zone is not a known time zone' }],
        })
      return database.transaction(async (tx) => {
        const before = await lockSchedule(tx)
        await saveSchedule(tx, schedule)
        await writeAudit(
          tx,
          {
            action: 'replenishment_schedule.updated',
            entity: 'inventory',
            entityId: null,
            before: { ...before },
            after: { ...schedule },
          },
          by,
        )
        return schedule
      })
    },
  }
}

/** Publishes one event for all changes, because clients read the whole list again. */
async function announce(tx: Queryable, [itemId]: readonly string[]): Promise<void> {
  if (itemId !== undefined) await publish(tx, { type: 'updated', entity: 'inventory_item', id: itemId })
}
