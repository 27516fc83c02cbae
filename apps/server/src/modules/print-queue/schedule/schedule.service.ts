import type { Schedule } from '@pegasus/contracts/print-queue/schedule'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { Poller } from '../../../platform/poller.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { picturePathOf } from '../../stl-library/index.ts'
import { reorder } from '../jobs/reorder.ts'
import { assignPrinter } from '../matching/assign-printer.ts'
import { readMatchData, waitsOf } from '../matching/waits-for.ts'
import { readCandidates } from '../matching/requirements.queries.ts'
import { assignProposals } from './accept-plan.ts'
import {
  type PlaceInDay,
  type ScheduledJobRow,
  type ShownRun,
  findNextInQueue,
  listDays,
  listPlannedRuns,
  listUnplannedJobs,
} from './schedule.queries.ts'

/** Reads the plan of the day and applies people's changes to it. */
export interface ScheduleService {
  /** Returns the saved plan of the day, with the jobs that are not planned. */
  read(): Promise<Schedule>
  /**
   * Accepts the proposals, which means that each job is assigned to its planned printer. Jobs that several printers
   * share are left out, and so are jobs that have ended in the meantime.
   */
  accept(by: AuditContext): Promise<Schedule>
  /**
   * Assigns a job to a printer, at a position before another job in its plan or after all of them. Throws
   * PRINT_JOB_NOT_FOUND, PRINT_JOB_STATE, PRINTER_NOT_FOUND, or PRINTER_DOES_NOT_FIT for a bed, nozzle or file that
   * does not fit. A job that stays on its printer keeps its assignment even if the printer does not fit.
   */
  place(
    jobId: string,
    to: { printerId: string; beforeId: string | null },
    by: AuditContext,
  ): Promise<Schedule>
}

/**
 * Returns whether a planned job may be assigned to the printer of the plan. It may not if a person has assigned it to
 * another printer since then, or if several printers share it.
 */
const belongsTo = ({ printer_id: id, assigned_printer_id: own, printers }: PlaceInDay): boolean =>
  own === null ? printers === 1 : own === id

/** Returns whether job `a` comes before job `b` in the queue. */
const isBefore = (a: PlaceInDay, b: PlaceInDay): boolean =>
  a.priority !== b.priority ? a.priority < b.priority : a.position < b.position

/** Returns whether each job comes after the previous one in the queue, so that no job has to be moved. */
const isInOrder = (day: readonly PlaceInDay[]): boolean =>
  day.every((job, at) => {
    const previous = day[at - 1]
    return previous === undefined || isBefore(previous, job)
  })

export function createSchedule(deps: {
  database: Database
  signer: PathSigner
  planner: Pick<Poller, 'run'>
}): ScheduleService {
  const { database, signer, planner } = deps

  const jobParts = (row: ScheduledJobRow) => ({
    print_job_id: row.print_job_id,
    label_code: row.label_code,
    name: row.name,
    color_hex: row.color_hex,
    order_number: row.order_number,
    due_at: row.due_at,
    thumbnail_path:
      row.has_picture && row.stl_file_id !== null
        ? picturePathOf(signer, { modelId: row.stl_file_id, pictureVersion: row.picture_version })
        : null,
  })

  const toPrint = (row: ShownRun) => ({
    ...jobParts(row),
    plates: row.plates,
    pieces: row.pieces,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    is_running: row.is_running,
    is_assigned: row.is_running || row.assigned_printer_id === row.printer_id,
    is_late: row.due_at !== null && Date.parse(row.job_ends_at) > Date.parse(row.due_at),
    is_guess: row.is_guess,
    load: row.loads[0] ?? null,
    loads: row.loads,
  })

  const readSchedule = async (): Promise<Schedule> => {
    const { sql } = database
    const [runs, printers, waiting] = await Promise.all([
      listPlannedRuns(sql),
      readCandidates(sql),
      listUnplannedJobs(sql),
    ])
    const ids = waiting.map((row) => row.print_job_id)
    const { requirements, candidates, unloaded } = await readMatchData(sql, ids)
    const waits = new Map(requirements.map((needs) => [needs.id, waitsOf(needs, candidates, unloaded)]))
    return {
      printers: printers.map((printer) => ({
        ...printer,
        prints: runs.filter(({ printer_id: id }) => id === printer.id).map(toPrint),
      })),
      unplanned: waiting.map((row) => ({ ...jobParts(row), waits_for: waits.get(row.print_job_id) ?? [] })),
      unplanned_count: waiting[0]?.total ?? 0,
    }
  }

  /**
   * Assigns these jobs to a printer in this order. A job is moved in the queue only if it is not yet behind the
   * previous job of `day`.
   */
  const assignInOrder = async (
    tx: Queryable,
    printerId: string,
    day: readonly PlaceInDay[],
    by: AuditContext,
  ): Promise<void> => {
    for (const { id, assigned_printer_id: assigned } of day)
      if (assigned !== printerId)
        await assignPrinter(tx, id, { printerId, isOverride: false, isPlan: true }, by)
    await putInOrder(tx, day, by)
  }

  const putInOrder = async (tx: Queryable, day: readonly PlaceInDay[], by: AuditContext): Promise<void> => {
    let previous: PlaceInDay | null = null
    for (const { id } of day) {
      const [job, last]: (PlaceInDay | undefined)[] = await placesOf(tx, id, previous?.id)
      if (job && last && !isBefore(last, job))
        await reorder(tx, id, await findNextInQueue(tx, last.id, id), by)
      previous = (await placesOf(tx, id))[0] ?? null
    }
  }

  const refresh = async (): Promise<Schedule> => {
    await planner.run()
    return readSchedule()
  }

  return {
    read: readSchedule,

    async accept(by) {
      await planner.run()
      await database.transaction(async (tx) => {
        const planned = (await listDays(tx, null)).filter(belongsTo)
        const assigned = await assignProposals(tx, planned, by)
        for (const day of Map.groupBy(assigned, ({ printer_id: id }) => id).values())
          if (!isInOrder(day)) await putInOrder(tx, day, by)
      })
      return refresh()
    },

    async place(jobId, { printerId, beforeId }, by) {
      await database.transaction(async (tx) => {
        await assignPrinter(tx, jobId, { printerId, isOverride: false, isPlan: true }, by)
        const others = (await listDays(tx, printerId)).filter(({ id }) => id !== jobId)
        const at = others.findIndex(({ id }) => id === beforeId)
        const before = at === -1 ? others : others.slice(0, at)
        const [moved] = await placesOf(tx, jobId)
        if (!moved) return
        const own = before.filter(belongsTo)
        await assignInOrder(tx, printerId, [...own, moved], by)
        // Jobs that are assigned to this printer and come later in the plan must stay behind the placed job.
        const [placed] = await placesOf(tx, jobId)
        const after =
          at === -1 ? undefined : others.slice(at).find(({ assigned_printer_id: id }) => id === printerId)
        if (placed && after && !isBefore(placed, after)) await reorder(tx, jobId, after.id, by)
      })
      return refresh()
    },
  }
}

/** Returns jobs with their sort keys in the queue, in the order of `ids`. */
async function placesOf(tx: Queryable, ...ids: (string | undefined)[]): Promise<PlaceInDay[]> {
  return tx<PlaceInDay[]>`
    select j.id, j.priority, j.position, j.assigned_printer_id, j.created_at, j.assigned_printer_id as printer_id,
           1 as printers
    from print_jobs j
    where j.id = any(${ids.filter((id) => id !== undefined)}::uuid[])
    order by array_position(${ids.filter((id) => id !== undefined)}::uuid[], j.id)`
}
