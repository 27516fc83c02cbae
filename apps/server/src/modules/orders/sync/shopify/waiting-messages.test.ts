import { expect, it } from 'vitest'
import {
  act,
  aShopifyApp,
  orderOf,
  shopifyEvent,
  shopifyLine,
  shopifyOrder,
  sync,
} from '../../../../../test/support/shop-apps.ts'
import { sendWebhook, shopifyHeaders } from '../../../../../test/support/webhooks.ts'
import { SECOND_MS } from '../../../../platform/clock.ts'

const money = (amount: string) => ({ shopMoney: { amount } })

it.each(['in the trash', 'refused'])(
  'an event without the kept money does not replace the kept money of an earlier message about an order that is %s',
  async (state) => {
    const { shop, app } = await aShopifyApp()
    const isRefused = state === 'refused'
    // An order is refused as long as another order of the shop has its number.
    const first = isRefused ? '8' : '7'
    shop.orders.set(first, { node: shopifyOrder(first, { name: '#7' }), open: [], fulfillments: [] })
    await sync(app)
    const { id } = await orderOf(app)
    const remove = async () => {
      const headers = { ...(await app.as('staff')), 'if-match': '*' }
      return app.http.inject({ method: 'DELETE', url: `/api/orders/${id}`, headers })
    }
    if (!isRefused) await remove()
    app.clock.advance(SECOND_MS)
    const updatedAt = app.clock.now().toISOString()
    const adjustment = { amountSet: money('30.00'), taxAmountSet: money('0.00') }
    const node = shopifyOrder('7', {
      updatedAt,
      currentTotalPriceSet: money('50.00'),
      currentTotalTaxSet: money('0.00'),
      currentTotalDiscountsSet: money('0.00'),
      currentShippingPriceSet: money('0.00'),
      refundDiscrepancySet: money('30.00'),
      netPaymentSet: money('50.00'),
      lineItems: { nodes: [{ ...shopifyLine('DRG', 3, '20.00'), currentQuantity: 1 }] },
      refunds: [{ createdAt: updatedAt, orderAdjustments: { nodes: [adjustment] } }],
    })
    shop.orders.set('7', { node, open: [], fulfillments: [] })
    await sync(app)
    const text = shopifyEvent({
      updated_at: updatedAt,
      note: 'Hurry',
      financial_status: 'partially_refunded',
      current_total_price: '50.00',
      current_total_tax: '0.00',
      current_total_discounts: '0.00',
      current_shipping_price_set: { shop_money: { amount: '0.00' } },
      line_items: [{ sku: 'DRG', name: 'Dragon', quantity: 3, current_quantity: 1, price: '20.00' }],
      refunds: [
        {
          created_at: updatedAt,
          order_adjustments: [{ kind: 'refund_discrepancy', amount: '30.00', tax_amount: '0.00' }],
        },
      ],
    })
    expect((await sendWebhook(app, 'shopify', text, shopifyHeaders(text))).body.outcome).toBe(
      isRefused ? 'failed' : 'unchanged',
    )
    // The shop does not list the order again.
    shop.orders.clear()
    if (isRefused) await remove()
    else await act(app, id, 'restore')
    await sync(app)
    expect(await orderOf(app)).toMatchObject({
      notes: 'Hurry',
      kept_amount: 30,
      surcharge_amount: 30,
      total_amount: 50,
    })
  },
)
