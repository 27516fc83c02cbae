import * as z from 'zod/mini'
import {
  actor,
  moment,
  nullable,
  numberBetween,
  optionalId,
  requiredText,
  timestamp,
  wholeNumber,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { get, post, put, del } = declareEndpoints('printers', { notFound: 'PRINTER_NOT_FOUND' })

/** Recurring maintenance of a printer, such as `Nozzle, every 400 h`. */
const maintenancePlan = z.object({
  id: z.uuid(),
  name: z.string(),
  /**
   * Interval in hours of printing, in days, or in both. With both, the work is due when the first of them has
   * passed.
   */
  every_hours: nullable.number,
  every_days: nullable.number,
  /** When the work was last done, or when the plan was added. */
  done_at: timestamp,
  /** Number of hours that the printer had printed when the work was last done. */
  done_at_hours: z.number(),
  /**
   * Hours of printing until the work is due. Negative if it is overdue. Null if the plan has only an interval in days.
   */
  hours_left: nullable.number,
  /**
   * When the work is due, according to the interval in days, or estimated from the printing hours since it
   * was last done. Null if unknown.
   */
  due_at: nullable.timestamp,
  is_due: z.boolean(),
})
export type MaintenancePlan = z.output<typeof maintenancePlan>

const maintenanceEntry = z.object({
  id: z.uuid(),
  plan_id: nullable.id,
  done: z.string(),
  /** Number of hours that the printer had printed when the work was done. */
  print_hours: z.number(),
  actor,
  created_at: timestamp,
})
export type MaintenanceEntry = z.output<typeof maintenanceEntry>

const maintenance = z.object({
  plans: z.array(maintenancePlan),
  /** The last 100 entries, newest first. */
  log: z.array(maintenanceEntry),
})
export type Maintenance = z.output<typeof maintenance>

export const getPrinterMaintenance = get('/api/printers/:id/maintenance', 'signed-in', {
  summary: 'The maintenance plans of a printer with their due dates, and its log',
  returns: maintenance,
})

const name = requiredText(100, 'Work')

const interval = {
  every_hours: z.optional(z.nullable(wholeNumber('Hours', 1, 100_000))),
  every_days: z.optional(z.nullable(wholeNumber('Days', 1, 3650))),
}

/** When the work was last done, for example by an earlier owner of the printer. */
const lastDone = {
  /** Not in the future. */
  done_at: z.optional(moment('done_at')),
  /** Number of hours that the printer had printed when the work was last done: at most its current `print_hours`. */
  done_at_hours: z.optional(numberBetween('done_at_hours', 0, 1_000_000)),
}

export const maintenancePlanBody = z
  .object({
    name,
    ...interval,
    /** If neither `done_at` nor `done_at_hours` is sent, the interval starts now. */
    ...lastDone,
  })
  .check(
    z.refine(({ every_hours: hours, every_days: days }) => hours != null || days != null, {
      path: ['every_hours'],
      message: 'Please enter hours, days or both',
    }),
  )
export type MaintenancePlanBody = z.output<typeof maintenancePlanBody>

export const addMaintenancePlan = post('/api/printers/:id/maintenance-plans', 'staff', {
  summary: 'Plan recurring maintenance; the interval starts when the work was last done, by default now',
  body: maintenancePlanBody,
  creates: maintenance,
  errors: ['PRINTER_INVALID', 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

const planParams = z.object({ id: z.uuid(), plan_id: z.uuid() })

/** Missing fields stay unchanged. The plan must keep hours, days or both. */
export const changeMaintenancePlanBody = z.object({ name: z.optional(name), ...interval, ...lastDone })
export type ChangeMaintenancePlanBody = z.output<typeof changeMaintenancePlanBody>

export const changeMaintenancePlan = put('/api/printers/:id/maintenance-plans/:plan_id', 'staff', {
  summary: 'Change a maintenance plan, or when its work was last done',
  params: planParams,
  body: changeMaintenancePlanBody,
  returns: maintenance,
  errors: ['MAINTENANCE_PLAN_NOT_FOUND', 'PRINTER_INVALID', 'MALFORMED_REQUEST'],
})

export const deleteMaintenancePlan = del('/api/printers/:id/maintenance-plans/:plan_id', 'staff', {
  summary: 'End a maintenance plan; the log stays',
  params: planParams,
  returns: maintenance,
  errors: ['MAINTENANCE_PLAN_NOT_FOUND'],
})

export const servicedBody = z.object({
  /** The plan whose interval starts again. */
  plan_id: optionalId('plan_id'),
  /** A description of the work that was done. */
  done: requiredText(500, 'Done'),
})
export type ServicedBody = z.output<typeof servicedBody>

export const servicePrinter = post('/api/printers/:id/serviced', 'staff', {
  summary: 'Log finished maintenance; the interval of its plan starts again',
  body: servicedBody,
  returns: maintenance,
  errors: ['MAINTENANCE_PLAN_NOT_FOUND', 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})
