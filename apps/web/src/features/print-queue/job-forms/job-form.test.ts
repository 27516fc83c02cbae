import { expect, test } from 'vitest'
import {
  describeJobValue,
  EMPTY_JOB,
  NO_PART_MESSAGE,
  readJobEdit,
  readNewJob,
  withPart,
} from './job-form.ts'
import type { Printable } from './printable-models.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

const part = (fields: Partial<Printable> = {}): Printable => ({
  kind: 'item',
  id: ID,
  name: 'Hook',
  caption: '',
  picture: null,
  tint: null,
  material: 'PETG',
  color: 'Orange',
  gramsEach: 21,
  modelId: null,
  minutesPerPrint: null,
  piecesPerPrint: 1,
  ...fields,
})

test('choosing a part fills in its filament but keeps values that the user chose', () => {
  expect(withPart(EMPTY_JOB, null, part())).toEqual({ material: 'PETG', color: 'Orange' })
  const chosen = { ...EMPTY_JOB, material: 'PETG', color: 'Black' }
  expect(withPart(chosen, part(), part({ material: 'ASA', color: 'Grey' }))).toEqual({
    material: 'ASA',
    color: 'Black',
  })
})

test('a new print job refers to the item or the model, and the server fills in empty estimates', () => {
  const item = readNewJob({ ...EMPTY_JOB, quantity: '4' }, part(), '').body
  expect(item).toMatchObject({ inventory_item_id: ID, quantity: 4, priority: 3 })
  expect(item).not.toHaveProperty('stl_file_id')
  expect(item).not.toHaveProperty('estimated_grams')
  expect(readNewJob(EMPTY_JOB, part({ kind: 'model' }), ID).body).toMatchObject({
    stl_file_id: ID,
    order_id: ID,
  })
})

test('a new print job is divided into plates only if the form asks for it, and contains the chosen strictness', () => {
  expect(readNewJob(EMPTY_JOB, part(), '').body).toMatchObject({
    pieces_per_plate: null,
    match_strictness: 'exact',
  })
  const divided = { ...EMPTY_JOB, quantity: '8', pieces_per_plate: '4', match_strictness: 'any_color' }
  expect(readJobEdit(divided, ['pieces_per_plate', 'match_strictness']).body).toEqual({
    pieces_per_plate: 4,
    match_strictness: 'any_color',
  })
  expect(readNewJob({ ...divided, pieces_per_plate: '0' }, part(), '').errors).toHaveProperty(
    'pieces_per_plate',
  )
  expect(describeJobValue('match_strictness', 'any_color')).toBe('Same filament, any color')
})

test('a new print job reports missing and invalid values at their fields', () => {
  expect(readNewJob({ ...EMPTY_JOB, quantity: '0', priority: '100' }, null, '').errors).toEqual({
    part: NO_PART_MESSAGE,
    quantity: expect.stringContaining('from 1'),
    priority: expect.stringContaining('from 1 to 99'),
  })
})

test('an edit of a print job contains only the changed fields', () => {
  expect(
    readJobEdit({ ...EMPTY_JOB, notes: 'Twice', filament_id: '' }, ['notes', 'filament_id']).body,
  ).toEqual({
    notes: 'Twice',
    filament_id: null,
  })
})
