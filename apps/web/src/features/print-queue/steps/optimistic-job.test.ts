import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { expect, test } from 'vitest'
import { asFailed, asStarted, statusAfterPlate } from './optimistic-job.ts'

const job = (fields: Partial<PrintJob> = {}) =>
  ({
    status: 'pending',
    quantity: 10,
    good_quantity: 0,
    missing_quantity: 10,
    pieces_per_plate: null,
    slice_pieces: null,
    ...fields,
  }) as PrintJob

test.each([
  ['an undivided job', {}, 0],
  ['a divided job', { pieces_per_plate: 4 }, 6],
  [
    'a divided job with fewer missing pieces than a plate has',
    { pieces_per_plate: 4, missing_quantity: 2 },
    0,
  ],
  ['an undivided job with a smaller sliced file', { slice_pieces: 3 }, 7],
  [
    'a divided job with another number of pieces in its sliced file',
    { pieces_per_plate: 4, slice_pieces: 6 },
    4,
  ],
] as const)('after the start of %s, only the pieces of further plates are missing', (_, fields, missing) => {
  expect(asStarted(job(fields))).toMatchObject({ status: 'in_progress', missing_quantity: missing })
  expect(asStarted(job({ slice_pieces: 3 })).pieces_per_plate).toBe(3)
})

test.each([
  ['an undivided job fails', {}, 0, 'failed'],
  ['a divided job waits for its next plate', { pieces_per_plate: 4 }, 0, 'pending'],
  ['a job with another running plate continues', { status: 'in_progress' }, 1, 'in_progress'],
] as const)('after a failed plate, %s', (_, fields, others, status) => {
  const after = asFailed(job(fields), 'Came loose', others)
  expect(after).toMatchObject({ status, failure_reason: 'Came loose' })
  expect(after.finished_at !== undefined).toBe(status === 'failed')
})

test.each([
  [{}, 4, 0, 'completed'],
  [{ status: 'in_progress', missing_quantity: 3 }, 7, 0, 'pending'],
  [{ status: 'in_progress', missing_quantity: 0 }, 7, 0, 'completed'],
  [{ pieces_per_plate: 4 }, 4, 0, 'pending'],
  [{ pieces_per_plate: 4, good_quantity: 6 }, 4, 0, 'completed'],
  [{ pieces_per_plate: 4, good_quantity: 6 }, 4, 1, 'in_progress'],
] as const)(
  'a job %o with %i more good pieces and %i other running plates is %s',
  (fields, good, others, status) => {
    expect(statusAfterPlate(job(fields), good, others)).toBe(status)
  },
)
