import { expect, test } from 'vitest'
import { differing, errorsAtFields, mergeForms } from './form-merge.ts'

const BASE = { name: 'Hook', color: 'Grey', notes: '' }

test("a form merge keeps typed values and other people's changes, and reports a conflict if both changed a field", () => {
  const merge = mergeForms(
    BASE,
    { name: 'Hook L', color: 'Grey', notes: 'mine' },
    { name: 'Hook R', color: 'Red', notes: '' },
  )
  expect(merge.form).toEqual({ name: 'Hook L', color: 'Red', notes: 'mine' })
  expect(merge.changed).toEqual(['name', 'color'])
  expect(merge.conflicts).toEqual(['name'])
})

test('a form merge reports no conflict if two people typed the same value', () => {
  const same = { ...BASE, name: 'Hook L' }
  expect(mergeForms(BASE, same, same).conflicts).toEqual([])
  expect(differing(BASE, same)).toEqual(['name'])
})

test('errorsAtFields returns the first error of each field, and leaves out errors of unknown fields', () => {
  const isField = (name: string): name is 'name' | 'color' => name === 'name' || name === 'color'
  expect(
    errorsAtFields(
      [
        { path: ['name'], message: 'Name is required' },
        { path: 'name', message: 'Name is odd' },
        { path: 'color.hex', message: 'No such color' },
        { path: 'other', message: 'Nowhere' },
      ],
      isField,
    ),
  ).toEqual({ name: 'Name is required', color: 'No such color' })
})
