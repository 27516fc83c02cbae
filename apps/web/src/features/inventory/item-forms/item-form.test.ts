import { describe, expect, test } from 'vitest'
import { EMPTY_ITEM, type ItemForm, readItemEdit, readNewItem, normalizeNumber } from './item-form.ts'

const aForm = (part: Partial<typeof EMPTY_ITEM> = {}) => ({ ...EMPTY_ITEM, name: 'Wall hook', ...part })

describe('the form of a new item', () => {
  test('the form of a new item starts with the default values', () => {
    expect(readNewItem(aForm()).body).toMatchObject({
      name: 'Wall hook',
      quantity: 1,
      reorder_point: 5,
      max_stock: 100,
      status: 'In Stock',
      copies: 1,
    })
  })

  test('a new item requires a name and a quantity', () => {
    expect(readNewItem(aForm({ name: ' ', quantity: '' })).errors).toEqual({
      name: 'Name is required',
      quantity: 'Quantity is required',
    })
  })

  test.each([
    ['many', '0'],
    ['12 pieces', '0'],
    ['Infinity', '0'],
    ['2,5', '2,5'],
    [' 7 ', '7'],
    ['', ''],
  ])('the quantity %j of a new item becomes %j', (typed, expected) =>
    expect(normalizeNumber('quantity', typed)).toBe(expected),
  )

  test('a number field of a new item reads invalid text as 0', () => {
    const { body } = readNewItem(
      aForm({ quantity: 'many', reorder_point: '', max_stock: 'x', selling_price: 'cheap', labor_cost: '' }),
    )
    expect(body).toMatchObject({
      quantity: 0,
      reorder_point: 0,
      max_stock: 0,
      selling_price: 0,
      labor_cost: null,
    })
  })

  test.each([
    ['quantity', '-1', 'Enter 0 or more.'],
    ['quantity', '2.5', 'Enter a whole number from 0 to 1,000,000,000.'],
    ['quantity', '1000000001', 'Enter a whole number from 0 to 1,000,000,000.'],
    ['selling_price', '-18.50', 'Enter 0 or more.'],
    ['copies', '101', 'Enter a whole number from 1 to 100.'],
    ['color_hex', 'orange', 'Color code must be a color such as #FF6A13'],
  ] as const)('the form of a new item shows an error at the field %s for %s', (field, text, sentence) => {
    expect(readNewItem(aForm({ [field]: text })).errors).toEqual({ [field]: sentence })
  })
})

test('an edit of an item contains only the changed fields', () => {
  const form: ItemForm = { ...aForm(), quantity: '42', stl_file_id: '', notes: ' two ' }
  expect(readItemEdit(form, ['quantity', 'stl_file_id', 'notes']).body).toEqual({
    quantity: 42,
    stl_file_id: '',
    notes: 'two',
  })
})
