import type {
  Maintenance,
  MaintenancePlanBody,
  ServicedBody,
} from '@pegasus/contracts/print-queue/maintenance'
import { v7 as uuidv7 } from 'uuid'
import { type AuditContext, actorColumns, actorOfColumns } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { maintenanceProgress } from './maintenance-due.ts'
import {
  endPlan,
  insertEntry,
  insertPlan,
  listEntries,
  listPlans,
  restartPlan,
} from './maintenance.queries.ts'
import { type PrinterRow, findPrinter, lockPrinter } from './printers.queries.ts'

/** Maintenance of printers. Each call throws PRINTER_NOT_FOUND if the printer does not exist. */
export interface PrinterMaintenance {
  get(printerId: string): Promise<Maintenance>
  /** Adds a plan. Throws IDEMPOTENCY_KEY_REUSED. */
  addPlan(
    printerId: string,
    body: MaintenancePlanBody,
    by: IdempotentCaller,
  ): Promise<HttpResult<Maintenance>>
  /** Deletes a plan. Throws MAINTENANCE_PLAN_NOT_FOUND. */
  deletePlan(printerId: string, planId: string, by: AuditContext): Promise<Maintenance>
  /**
   * Adds an entry to the log and restarts the named plan. Throws MAINTENANCE_PLAN_NOT_FOUND or IDEMPOTENCY_KEY_REUSED.
   */
  service(printerId: string, body: ServicedBody, by: IdempotentCaller): Promise<HttpResult<Maintenance>>
}

type MaintenanceAction = 'printer.maintenance_planned' | 'printer.maintenance_unplanned' | 'printer.serviced'

export function createPrinterMaintenance(deps: { database: Database; clock: Clock }): PrinterMaintenance {
  const { database, clock } = deps

  const getPrinter = async (sql: Queryable, id: string) =>
    orThrow(await findPrinter(sql, id), 'PRINTER_NOT_FOUND')

  const show = async (sql: Queryable, { id, printed_minutes: printedMinutes }: PrinterRow) => {
    const [plans, entries] = [await listPlans(sql, id), await listEntries(sql, id)]
    const wear = { printedMinutes, now: clock.now() }
    return {
      plans: plans.map((plan) => {
        const { hoursLeft, dueAt, isDue } = maintenanceProgress(plan, wear)
        return { ...plan, hours_left: hoursLeft, due_at: dueAt?.toISOString() ?? null, is_due: isDue }
      }),
      log: entries.map(({ printed_minutes: minutes, ...entry }) => ({
        ...entry,
        print_hours: Math.round(minutes / 6) / 10,
        actor: actorOfColumns(entry),
      })),
    }
  }

  /** Locks the printer, runs `work`, and writes an audit entry. */
  const step = async (
    tx: Queryable,
    printerId: string,
    action: MaintenanceAction,
    by: AuditContext,
    work: (printer: PrinterRow) => Promise<Record<string, unknown>>,
  ): Promise<Maintenance> => {
    if (!(await lockPrinter(tx, printerId))) throw new AppError('PRINTER_NOT_FOUND')
    const printer = await getPrinter(tx, printerId)
    const after = await work(printer)
    await writeAudit(
      tx,
      { action, entity: 'printer', entityId: printerId, entityName: printer.name, after },
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
          await insertPlan(tx, {
            id: uuidv7(),
            printer_id: printerId,
            name,
            every_hours: hours,
            every_days: days,
            done_at_minutes: printer.printed_minutes,
            done_at: audit.now,
            created_at: audit.now,
          })
          return { name, every_hours: hours, every_days: days }
        }),
      })),

    deletePlan: (printerId, planId, by) =>
      database.transaction((tx) =>
        step(tx, printerId, 'printer.maintenance_unplanned', by, async () => {
          const name = await endPlan(tx, { id: planId, printerId }, by.now)
          if (name === null) throw new AppError('MAINTENANCE_PLAN_NOT_FOUND')
          return { name }
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
            return { reason: done }
          },
        ),
      })),
  }
}
