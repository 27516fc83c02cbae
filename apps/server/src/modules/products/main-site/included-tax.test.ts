import { expect, it } from 'vitest'
import { withoutTaxInPrices } from './included-tax.ts'

/**
 * Returns an order of one piece at 119.00 with a discount of 11.90, both with 19 % tax included. The net discount is
 * 10.00.
 */
const order = (taxRate: number) => ({
  total_amount: 107.1,
  shipping_amount: 0,
  tax_amount: 17.1,
  discount_amount: 11.9,
  items: [{ quantity: 1, unit_price: 119, tax_rate: taxRate }],
})

it('withoutTaxInPrices turns the discount into a net amount, but does not hide a difference that a wrong tax rate causes in it', () => {
  expect(withoutTaxInPrices(order(0.19), 0, 'USD')).toMatchObject({
    discount_amount: 10,
    items: [{ unit_price: 100 }],
  })
  // Without the tax rate of the line, the 17.10 of tax belong to no price.
  expect(withoutTaxInPrices(order(0), 0, 'USD')).toMatchObject({
    discount_amount: 11.9,
    items: [{ unit_price: 119 }],
  })
})
