import { expect, it } from 'vitest'
import { wooOrder } from '../../../../../test/support/shop-apps.ts'
import { readWooOrder } from './woo-order.ts'

it('prices in a currency without decimals leave no difference', () => {
  const lineItems = [{ id: 1, sku: 'DRG', name: 'Dragon', quantity: 3, subtotal: '1000' }]
  const amounts = { total: '1000', discount_total: '0', shipping_total: '0', total_tax: '0' }
  expect(readWooOrder(wooOrder(7, { ...amounts, currency: 'JPY', line_items: lineItems }), 0)).toMatchObject({
    items: [{ quantity: 3, unit_price: 333 }],
    shipping_amount: 1,
    discount_amount: 0,
  })
})
