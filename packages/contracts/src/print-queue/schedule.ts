import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable, timestamp } from '../fields.ts'
import { jobWait } from './job-waits.ts'
import { printerHead } from './printers.ts'

/** The planner decides which printer prints which job, and when. */
const { get, post } = declareEndpoints('print-queue', { notFound: 'PRINT_JOB_NOT_FOUND' })

const scheduledJob = {
  print_job_id: z.uuid(),
  label_code: z.string(),
  name: z.string(),
  thumbnail_path: nullable.text,
  color_hex: nullable.text,
  order_number: nullable.text,
  due_at: nullable.timestamp,
}

/** A spool to load, and its slot, which is null on a printer with one slot. */
const spoolChange = z.object({
  filament_id: z.uuid(),
  filament_label: z.string(),
  slot: nullable.number,
})

/** Plates of one job that are printed one after the other on one printer. */
const plannedPrint = z.object({
  ...scheduledJob,
  plates: z.number(),
  pieces: z.number(),
  starts_at: timestamp,
  ends_at: timestamp,
  /** Whether the plate is on the bed now. */
  is_running: z.boolean(),
  /** Whether a person chose this printer. If not, the print is a proposal. */
  is_assigned: z.boolean(),
  /** Whether the job is planned to end after its due time. */
  is_late: z.boolean(),
  /** Whether the end is a guess, because the job has no estimated time. */
  is_guess: z.boolean(),
  /** The first spool that must be loaded before the print. */
  load: z.nullable(spoolChange),
  /** All spools that must be loaded before the print: several if a file has several tools. */
  loads: z.array(spoolChange),
})
export type PlannedPrint = z.output<typeof plannedPrint>

const scheduledPrinter = z.object({
  ...printerHead,
  state_reason: nullable.text,
  /** Whether the server sends proposed jobs to the printer without a person assigning them. */
  takes_jobs: z.boolean(),
  prints: z.array(plannedPrint),
})
export type ScheduledPrinter = z.output<typeof scheduledPrinter>

/** A job that no printer can print now. */
const unplannedJob = z.object({ ...scheduledJob, waits_for: z.array(jobWait) })
export type UnplannedJob = z.output<typeof unplannedJob>

export const schedule = z.object({
  printers: z.array(scheduledPrinter),
  /** At most 100 jobs, in the order of the queue. */
  unplanned: z.array(unplannedJob),
  /** The number of all jobs that are not planned. */
  unplanned_count: z.number(),
})
export type Schedule = z.output<typeof schedule>

export const getSchedule = get('/api/print-queue/schedule', 'signed-in', {
  summary:
    'The next prints of each printer and their times: assigned jobs first, then proposals of the planner',
  returns: schedule,
})

export const acceptSchedule = post('/api/print-queue/schedule', 'staff', {
  summary: 'Assign every proposed job to its printer; jobs that several printers share remain proposals',
  returns: schedule,
})

export const scheduleJobBody = z.object({
  printer_id: z.uuid('printer_id is not an id'),
  /**
   * This job is printed before the job with this id on the same printer. Null means after all jobs. Proposals that come
   * before the new position are also assigned.
   */
  before_id: z.nullable(z.uuid('before_id is not an id')),
})

export const scheduleJob = post('/api/print-queue/:id/schedule', 'staff', {
  summary: 'Assign a job to a printer and to a position in its schedule',
  body: scheduleJobBody,
  returns: schedule,
  errors: ['PRINTER_NOT_FOUND', 'PRINTER_DOES_NOT_FIT', 'PRINT_JOB_STATE', 'MALFORMED_REQUEST'],
})
