import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import type { PrinterSlot } from '@pegasus/contracts/print-queue/printers'
import { expect, test } from 'vitest'
import { formOfPlate, platesToCount, readCompletion } from './complete-form.ts'

const [ONE, TWO] = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002']

const job = (fields: Partial<PrintJob> = {}) =>
  ({
    quantity: 8,
    good_quantity: 0,
    pieces_per_plate: 4,
    estimated_grams: 80,
    filament_id: ONE,
    filament_label: 'S-0042',
    ...fields,
  }) as PrintJob

const plate = (fields: Partial<Plate> = {}) =>
  ({
    id: ONE,
    number: 1,
    state: 'printing',
    reason: null,
    printer: 'MK4',
    printer_id: TWO,
    agent: null,
    slice_id: null,
    pieces: 4,
    used_grams: null,
    print_minutes: null,
    filament_id: ONE,
    filament_label: 'S-0042',
    tools: [],
    is_by_hand: true,
    ...fields,
  }) as Plate

const slot = (n: number) => ({ slot: n }) as PrinterSlot

test('the completion form has one entry for each running plate, with the pieces and the used or estimated filament of that plate', () => {
  const plates = platesToCount(
    job(),
    [
      plate({ state: 'done', number: 1 }),
      plate({ number: 2 }),
      plate({ id: TWO, number: 3, used_grams: 37.5 }),
    ],
    () => [],
  )
  expect(plates.map(({ label, pieces, grams }) => [label, pieces, grams])).toEqual([
    ['Plate 2 · MK4 · 4 pieces', 4, 40],
    ['Plate 3 · MK4 · 4 pieces', 4, 37.5],
  ])
})

test('the estimated filament of a plate is that of its sliced file, and of the job only without such a file', () => {
  const tool = {
    tool: 0,
    material: 'PLA',
    color_hex: null,
    slot: 1,
    filament_id: ONE,
    filament_label: 'S-0042',
  }
  const gramsWith = (...grams: (number | null)[]) =>
    platesToCount(job(), [plate({ tools: grams.map((of) => ({ ...tool, grams: of })) })], () => [])[0].grams
  expect([gramsWith(30.5, 1.25), gramsWith(30.5, null), gramsWith()]).toEqual([31.75, 40, 40])
})

test('a running plate has the pieces that it was started with, and a job without plates has all its missing pieces', () => {
  const grown = job({ pieces_per_plate: null, quantity: 10, good_quantity: 1 })
  expect(platesToCount(grown, [plate({ pieces: 7 })], () => [])[0]).toMatchObject({ id: ONE, pieces: 7 })
  expect(platesToCount(job({ good_quantity: 6 }), [], () => [])[0]).toMatchObject({ id: null, pieces: 2 })
})

test('the request that completes a plate contains filament and time only if they were entered', () => {
  const [counted] = platesToCount(job(), [plate()], () => [])
  const form = { ...formOfPlate(counted), good_quantity: '3', rejected_quantity: '1', reason: 'Warped' }
  expect(readCompletion(form, counted).body).toEqual({
    good_quantity: 3,
    rejected_quantity: 1,
    reason: 'Warped',
    used_grams: 40,
    plate_id: ONE,
  })
  const empty = { ...form, used_grams: '', print_minutes: '95' }
  expect(readCompletion(empty, counted).body).not.toHaveProperty('used_grams')
  expect(readCompletion(empty, counted).body).toHaveProperty('print_minutes', 95)
  expect(readCompletion({ ...form, print_minutes: '1.5' }, counted).errors).toHaveProperty('print_minutes')
})

test('the counts of a plate whose pieces have to be checked start empty, and have to be entered', () => {
  const note = 'The server did not see the end of this print. Check the pieces.'
  const [counted] = platesToCount(job(), [plate({ state: 'printed', reason: note })], () => [])
  const form = formOfPlate(counted)
  expect([counted.note, form.good_quantity, form.rejected_quantity]).toEqual([note, '', ''])
  expect(readCompletion(form, counted).errors).toHaveProperty('good_quantity')
  const [running] = platesToCount(job(), [plate({ reason: note })], () => [])
  expect([running.note, formOfPlate(running).good_quantity]).toEqual([null, '4'])
})

test('if a printer has several slots, grams are entered for each slot, and an empty form sends no grams', () => {
  const [counted] = platesToCount(job(), [plate()], () => [slot(1), slot(2), slot(4)])
  const form = formOfPlate(counted)
  expect(readCompletion(form, counted).body).not.toHaveProperty('used_grams')
  const typed = { ...form, tool_1: '12,5', tool_4: '3' }
  expect(readCompletion(typed, counted).body).toHaveProperty('used_grams', [12.5, 0, 0, 3])
  expect(readCompletion({ ...form, tool_2: 'much' }, counted).errors).toHaveProperty('used_grams')
})

test('only the completion of a plate of a network printer says whether the plate is off the bed', () => {
  const bodyOf = (fields: Partial<Plate>, cleared: string) => {
    const [first] = platesToCount(job(), [plate(fields)], () => [])
    return readCompletion({ ...formOfPlate(first), cleared }, first).body?.cleared
  }
  const onNetwork = { state: 'printed', is_by_hand: false } as const
  expect([bodyOf(onNetwork, ''), bodyOf(onNetwork, 'yes'), bodyOf({}, 'yes')]).toEqual([
    false,
    true,
    undefined,
  ])
})
