import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { describe, expect, test } from 'vitest'
import { jobNote, nextStepOf, shareDone, timeLeft } from './job-state.ts'

const NOW = Date.parse('2026-11-21T06:00:00Z')
const ID = '0198c0de-0000-7000-8000-000000000001'

const aJob = (job: Partial<PrintJob>): PrintJob => ({
  id: ID,
  label_code: 'J-0001',
  inventory_item_id: ID,
  inventory_item_name: 'Wall hook',
  stl_file_id: null,
  stl_file_title: null,
  stl_thumbnail_path: null,
  stl_version_number: null,
  stl_current_version_number: null,
  quantity: 6,
  good_quantity: 0,
  rejected_quantity: 0,
  missing_quantity: 6,
  is_printed: false,
  can_complete: true,
  current_plate: null,
  pieces_per_plate: null,
  expected_rejects: 0,
  plates: 1,
  plates_done: 0,
  status: 'pending',
  priority: 3,
  position: 1,
  material: null,
  color: null,
  color_hex: null,
  filament_id: null,
  filament_label: null,
  filament_remaining_grams: null,
  match_strictness: 'exact',
  waits_for: [{ code: 'no_printer', message: 'There is no printer yet.' }],
  assigned_printer_id: null,
  expected_start: null,
  expected_end: null,
  printer: null,
  printer_id: null,
  slice_id: null,
  slice_pieces: null,
  slice_plates: null,
  print_minutes: null,
  cost: null,
  cost_is_measured: null,
  planned_cost: null,
  order_line_id: null,
  agent: null,
  attempt: 1,
  previous_job_id: null,
  next_job_id: null,
  merged_into_job_id: null,
  failure_reason: null,
  hold_reason: null,
  progress: 0,
  estimated_grams: null,
  estimated_minutes: null,
  used_grams: null,
  order_id: null,
  order_number: null,
  due_at: null,
  started_at: null,
  finished_at: null,
  notes: null,
  revision: 1,
  created_at: '2026-11-20T06:00:00Z',
  updated_at: '2026-11-20T06:00:00Z',
  deleted_at: null,
  ...job,
})

const SHORT = {
  filament_id: ID,
  filament_label: 'S-0142',
  filament_remaining_grams: 96,
  estimated_grams: 484,
}

const ADD_PRINTER = {
  kind: 'add_printer',
  label: 'Add a printer',
  printer_id: null,
  filament_id: null,
  slot: null,
  replaces: null,
  color: null,
  stl_file_id: null,
} as const

describe('jobNote', () => {
  const running = { status: 'in_progress', started_at: '2026-11-21T05:00:00Z' } as const
  test.each<[Partial<PrintJob>, string, string | null]>([
    [{}, 'Waiting for a printer', null],
    [{ printer: 'MK4 · 02' }, 'Waiting for MK4 · 02', null],
    [{ waits_for: [] }, 'Ready to print', null],
    [{ waits_for: [], printer: 'MK4 · 02' }, 'Ready to print', null],
    [
      {
        waits_for: [
          {
            code: 'no_printer',
            message: 'There is no printer yet.',
            action: ADD_PRINTER,
          },
        ],
      },
      'Waiting for a printer',
      'Add a printer',
    ],
    [
      { waits_for: [{ code: 'busy', message: 'All 3 printers that fit are busy.' }] },
      'All 3 printers that fit are busy.',
      null,
    ],
    [SHORT, 'Needs 484\u00A0g, 96\u00A0g left on S-0142', '388\u00A0g short'],
    [{ ...SHORT, filament_remaining_grams: 484 }, 'Waiting for a printer', null],
    [{ attempt: 2 }, 'Attempt 2 after a failure', null],
    [{ status: 'on_hold', hold_reason: 'seat is tight' }, 'On hold: seat is tight', null],
    [{ ...running, estimated_minutes: 134, printer: 'MK4' }, '1 h 14 min left', 'MK4'],
    [{ ...running, estimated_minutes: 30 }, 'should be done', null],
    [running, 'Printing for 1 h 00 min', null],
    [{ ...running, progress: 0.25 }, '3 h 00 min left', null],
    [{ ...running, progress: 0.999 }, 'almost done', null],
    [{ ...running, progress: 0.37, expected_end: '2026-11-21T06:57:00Z' }, '57 min left', null],
    [
      { ...running, estimated_minutes: 30, progress: 0.37, expected_end: '2026-11-21T06:57:00Z' },
      '57 min left',
      null,
    ],
    [{ ...running, progress: 0.37, expected_end: '2026-11-21T06:00:00Z' }, 'should be done', null],
    [{ ...running, progress: 0.37, started_at: '2026-11-21T05:59:50Z' }, 'Just started', null],
    [{ ...running, progress: 0.01 }, 'Printing for 1 h 00 min', null],
    [{ ...running, is_printed: true, printer: 'MK4' }, 'To be cleared', 'MK4'],
    [{ ...running, started_at: '2026-11-21T05:59:40Z' }, 'Just started', null],
    [
      { status: 'completed', good_quantity: 5, rejected_quantity: 1, finished_at: '2026-11-21T05:50:00Z' },
      '5 good, 1 rejected',
      '10 min. ago',
    ],
    [{ status: 'failed', failure_reason: 'layer shift' }, 'layer shift', null],
    [{ status: 'cancelled' }, 'Cancelled', null],
  ])('the note on the print job %o is “%s”', (job, text, detail) => {
    expect(jobNote(aJob(job), NOW)).toMatchObject({ text, detail })
  })

  test('the progress of a print job comes from the printer, is estimated from the time, or is unknown', () => {
    expect(shareDone(aJob(running), NOW)).toBeNull()
    expect(shareDone(aJob({ ...running, estimated_minutes: 240 }), NOW)).toBe(0.25)
    expect(shareDone(aJob({ ...running, estimated_minutes: 30 }), NOW)).toBe(0.99)
    expect(shareDone(aJob({ ...running, estimated_minutes: 240, progress: 0.5 }), NOW)).toBe(0.5)
    expect(shareDone(aJob({ ...running, estimated_minutes: 240, agent: 'pi' }), NOW)).toBe(0)
  })

  test('the remaining time and the progress of a job are those of its running plate, not of the plan for all plates', () => {
    const plate = { started_at: '2026-11-21T05:00:00Z', ends_at: '2026-11-21T08:00:00Z', progress: null }
    const job = aJob({
      ...running,
      plates: 2,
      estimated_minutes: 360,
      expected_end: '2026-11-21T11:10:00Z',
      current_plate: plate,
    })
    expect(timeLeft(job, NOW)).toBe('2 h 00 min left')
    expect(shareDone(job, NOW)).toBeCloseTo(1 / 3)
    const reported = { ...job, progress: 0.2, current_plate: { ...plate, progress: 0.4 } }
    expect(shareDone(reported, NOW)).toBe(0.4)
    const unknown = { ...job, current_plate: { ...plate, ends_at: null, progress: 0.25 } }
    expect(timeLeft(unknown, NOW)).toBe('3 h 00 min left')
    expect(shareDone({ ...job, current_plate: null, is_printed: true }, NOW)).toBe(1)
  })

  test('a print job that is not running has no remaining time', () => {
    expect(timeLeft(aJob({ estimated_minutes: 90 }), NOW)).toBeNull()
  })
})

test('the next step of a job depends on its status, and a job whose missing pieces another job has needs none', () => {
  expect(nextStepOf(aJob({ status: 'pending' }))).toBe('start')
  expect(nextStepOf(aJob({ status: 'in_progress' }))).toBe('complete')
  expect(nextStepOf(aJob({ status: 'in_progress', can_complete: false }))).toBeNull()
  expect(nextStepOf(aJob({ status: 'completed', good_quantity: 6 }))).toBe('print_again')
  expect(nextStepOf(aJob({ status: 'completed', good_quantity: 5 }))).toBe('requeue')
  expect(nextStepOf(aJob({ status: 'failed' }))).toBe('requeue')
  expect(nextStepOf(aJob({ status: 'failed', next_job_id: ID }))).toBeNull()
})
