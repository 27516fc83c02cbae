import type {
  ChangeMaintenancePlanBody,
  Maintenance,
  MaintenancePlanBody,
  ServicedBody,
} from '@pegasus/contracts/print-queue/maintenance'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, actorColumns, actorOfColumns } from '../../../platform/actor.ts'
import { type Clock, MINUTE_MS } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { maintenanceProgress } from './maintenance-due.ts'
import {
  endPlan,
  insertEntry,
  insertPlan,
  listEntries,
  listPlans,
  type PlanRow,
  restartPlan,
  updatePlan,
} from './maintenance.queries.ts'
import { refusePrinter } from './printer-edit.ts'
import { type PrinterRow, findPrinter, lockPrinter } from './printers.queries.ts'

/** Maintenance of printers. Each call throws PRINTER_NOT_FOUND if the printer does not exist. */
export interface PrinterMaintenance {
  /** Returns the plans of a printer, and the work that was logged. */
  get(printerId: string): Promise<Maintenance>
  /** Adds a plan. Throws PRINTER_INVALID or IDEMPOTENCY_KEY_REUSED. */
  addPlan(
    printerId: string,
    body: MaintenancePlanBody,
    by: IdempotentCaller,
  ): Promise<HttpResult<Maintenance>>
  /** Changes a plan. Throws MAINTENANCE_PLAN_NOT_FOUND or PRINTER_INVALID. */
  changePlan(
    printerId: string,
    planId: string,
    body: ChangeMaintenancePlanBody,
    by: AuditContext,
  ): Promise<Maintenance>
  /** Deletes a plan. Throws MAINTENANCE_PLAN_NOT_FOUND. */
  deletePlan(printerId: string, planId: string, by: AuditContext): Promise<Maintenance>
  /**
   * Adds an entry to the log and restarts the named plan. Throws MAINTENANCE_PLAN_NOT_FOUND or IDEMPOTENCY_KEY_REUSED.
   */
  service(printerId: string, body: ServicedBody, by: IdempotentCaller): Promise<HttpResult<Maintenance>>
}

type MaintenanceAction =
  | 'printer.maintenance_planned'
  | 'printer.maintenance_changed'
  | 'printer.maintenance_unplanned'
  | 'printer.serviced'

/** A browser's clock may be ahead of the server's clock by up to this time, in ms. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS

/** Converts minutes to hours, rounded to a tenth, as screens show them. */
const toHours = (minutes: number): number => Math.round(minutes / 6) / 10

/** The hours of the printer when the work was last done. A later correction of its hours can make them negative. */
const doneAtHours = (plan: Pick<PlanRow, 'done_at_minutes'>): number =>
  Math.max(0, toHours(plan.done_at_minutes))

/**
 * Returns the columns for the time and the printing hours of the last maintenance, as a person entered them. Throws
 * PRINTER_INVALID if the time is in the future, or if the printer has printed for fewer hours than that.
 */
function lastDone(
  { done_at: at, done_at_hours: hours }: ChangeMaintenancePlanBody,
  printedMinutes: number,
  now: Date,
): { done_at?: Date; done_at_minutes?: number } {
  const ms = at === undefined ? null : new Date(at).getTime()
  if (ms !== null && ms > now.getTime() + CLOCK_DIFFERENCE_MS)
    refusePrinter('done_at', 'Please enter a date that is not in the future')
  // People enter the rounded hours that the screen shows.
  if (hours !== undefined && hours > toHours(printedMinutes))
    refusePrinter('done_at_hours', `The printer has printed only ${toHours(printedMinutes)} hours so far`)
  return {
    ...(ms !== null && { done_at: new Date(Math.min(ms, now.getTime())) }),
    ...(hours !== undefined && { done_at_minutes: Math.min(Math.round(hours * 60), printedMinutes) }),
  }
}

/** Returns the fields of a plan that the audit stores. */
const auditedPlan = (plan: Omit<PlanRow, 'id' | 'done_at'> & { done_at: string | Date }) => ({
  name: plan.name,
  every_hours: plan.every_hours,
  every_days: plan.every_days,
  done_at: new Date(plan.done_at).toISOString(),
  done_at_hours: doneAtHours(plan),
})

export function createPrinterMaintenance(deps: { database: Database; clock: Clock }): PrinterMaintenance {
  const { database, clock } = deps

  const getPrinter = async (sql: Queryable, id: string) =>
    orThrow(await findPrinter(sql, id), 'PRINTER_NOT_FOUND')

  const show = async (sql: Queryable, { id, printed_minutes: printedMinutes }: PrinterRow) => {
    const [plans, entries] = [await listPlans(sql, id), await listEntries(sql, id)]
    const wear = { printedMinutes, now: clock.now() }
    return {
      plans: plans.map(({ done_at_minutes: doneAtMinutes, ...plan }) => {
        const done = { done_at_minutes: doneAtMinutes }
        const { hoursLeft, dueAt, isDue } = maintenanceProgress({ ...plan, ...done }, wear)
        return {
          ...plan,
          done_at_hours: doneAtHours(done),
          hours_left: hoursLeft,
          due_at: dueAt?.toISOString() ?? null,
          is_due: isDue,
        }
      }),
      log: entries.map(({ printed_minutes: minutes, ...entry }) => ({
        ...entry,
        print_hours: toHours(minutes),
        actor: actorOfColumns(entry),
      })),
    }
  }

  /** Locks the printer, runs `work`, and writes an audit entry with the values before and after that `work` returns. */
  const step = async (
    tx: Queryable,
    printerId: string,
    action: MaintenanceAction,
    by: AuditContext,
    work: (printer: PrinterRow) => Promise<Pick<AuditEvent, 'before' | 'after'>>,
  ): Promise<Maintenance> => {
    if (!(await lockPrinter(tx, printerId))) throw new AppError('PRINTER_NOT_FOUND')
    const printer = await getPrinter(tx, printerId)
    const sides = await work(printer)
    await writeAudit(
      tx,
      { action, entity: 'printer', entityId: printerId, entityName: printer.name, ...sides },
      by,
    )
    await publish(tx, { type: 'updated', entity: 'printer', id: printerId })
    return show(tx, printer)
  }

  return {
    get: async (printerId) => show(database.sql, await getPrinter(database.sql, printerId)),

    addPlan: (printerId, body, by) =>
      writeOnce({ database, clock }, by, ['maintenance-plans', printerId, body], async (tx, { audit }) => ({
        status: 201,
        body: await step(tx, printerId, 'printer.maintenance_planned', audit, async (printer) => {
          const { name, every_hours: hours = null, every_days: days = null } = body
          const plan = {
            name,
            every_hours: hours,
            every_days: days,
            done_at: audit.now,
            done_at_minutes: printer.printed_minutes,
            ...lastDone(body, printer.printed_minutes, audit.now),
          }
          await insertPlan(tx, { ...plan, id: uuidv7(), printer_id: printerId, created_at: audit.now })
          return { after: auditedPlan(plan) }
        }),
      })),

    changePlan: (printerId, planId, body, by) =>
      database.transaction((tx) =>
        step(
          tx,
          printerId,
          'printer.maintenance_changed',
          by,
          async ({ printed_minutes: printedMinutes }) => {
            const before = (await listPlans(tx, printerId)).find(({ id }) => id === planId)
            if (!before) throw new AppError('MAINTENANCE_PLAN_NOT_FOUND')
            const after = {
              name: body.name ?? before.name,
              every_hours: body.every_hours === undefined ? before.every_hours : body.every_hours,
              every_days: body.every_days === undefined ? before.every_days : body.every_days,
              done_at: before.done_at,
              done_at_minutes: before.done_at_minutes,
              ...lastDone(body, printedMinutes, by.now),
            }
            if (after.every_hours === null && after.every_days === null)
              refusePrinter('every_hours', 'Please enter hours, days or both')
            await updatePlan(tx, planId, after)
            return { before: auditedPlan(before), after: auditedPlan(after) }
          },
        ),
      ),

    deletePlan: (printerId, planId, by) =>
      database.transaction((tx) =>
        step(tx, printerId, 'printer.maintenance_unplanned', by, async () => {
          const name = await endPlan(tx, { id: planId, printerId }, by.now)
          if (name === null) throw new AppError('MAINTENANCE_PLAN_NOT_FOUND')
          return { after: { name } }
        }),
      ),

    service: (printerId, body, by) =>
      writeOnce({ database, clock }, by, ['serviced', printerId, body], async (tx, { audit }) => ({
        status: 200,
        body: await step(
          tx,
          printerId,
          'printer.serviced',
          audit,
          async ({ printed_minutes: printedMinutes }) => {
            const { plan_id: planId, done } = body
            const plan = { id: planId ?? '', printerId, printedMinutes }
            if (planId !== undefined && !(await restartPlan(tx, plan, audit.now)))
              throw new AppError('MAINTENANCE_PLAN_NOT_FOUND')
            await insertEntry(tx, {
              id: uuidv7(),
              printer_id: printerId,
              plan_id: planId ?? null,
              done,
              printed_minutes: printedMinutes,
              ...actorColumns(audit.actor),
              created_at: audit.now,
            })
            return { after: { reason: done } }
          },
        ),
      })),
  }
}
