import { describe, expect, it } from 'vitest'
import { jsonOf, rowsOf, tiersProblem } from './bulk-tier-rows.ts'

describe('rows of bulk tiers', () => {
  it.each([
    ['', []],
    ['null', []],
    ['[]', []],
    ['[{"quantity":10,"price":16.9}]', [{ quantity: '10', price: '16.9' }]],
    [
      '[{"quantity":"10"}, 5]',
      [
        { quantity: '10', price: '' },
        { quantity: '', price: '' },
      ],
    ],
    ['{"quantity":10}', null],
    ['[{"quantity":10', null],
  ])('the table of bulk tiers reads %s', (json, rows) => {
    expect(rowsOf(json)).toEqual(rows)
  })

  it('the table of bulk tiers writes its rows as JSON with numeric values, and writes an empty string without rows', () => {
    expect(jsonOf([{ quantity: '10', price: '16.90' }])).toBe('[{"quantity":10,"price":16.9}]')
    expect(jsonOf([{ quantity: '', price: 'x' }])).toBe('[{"quantity":"","price":"x"}]')
    expect(jsonOf([])).toBe('')
  })

  it('the table of bulk tiers keeps invalid values, so that the check can report them', () => {
    expect(tiersProblem('[')).toBe('Invalid JSON format for bulk tiers')
    expect(tiersProblem('{}')).toBe('Bulk tiers must be an array')
    expect(
      tiersProblem(
        jsonOf([
          { quantity: '10', price: '1' },
          { quantity: '20', price: '' },
        ]),
      ),
    ).toBe('Tier 2 must have quantity and price')
    expect(tiersProblem(jsonOf([{ quantity: '10', price: '0' }]))).toBeNull()
  })
})
