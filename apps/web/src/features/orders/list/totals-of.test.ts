import { expect, it } from 'vitest'
import { totalsOf } from './totals-of.ts'

it('orders in several currencies have one sum for each currency', () => {
  const orders = [
    { currency: 'EUR', total_amount: 11.8 },
    { currency: 'USD', total_amount: 3 },
    { currency: 'EUR', total_amount: 0.2 },
  ]
  expect(totalsOf(orders)).toBe('€12.00 + $3.00')
  expect(totalsOf(orders.slice(0, 1))).toBe('€11.80')
})
