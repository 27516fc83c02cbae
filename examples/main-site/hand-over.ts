import type { ShopOrder } from './shop-store.ts'

const TIMEOUT_MS = 10_000

/**
 * Sends an order to Pegasus Ops. It can be repeated, because the number identifies the order. Returns the error, or
 * null.
 */
export async function handOver(
  order: ShopOrder,
  { opsUrl, apiKey, currency }: { opsUrl: string; apiKey: string; currency: string },
): Promise<string | null> {
  if (apiKey === '') return 'no API key is set'
  try {
    const response = await fetch(`${opsUrl}/api/integration/orders`, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({
        order_number: order.number,
        external_id: order.number,
        customer_name: order.customer,
        customer_email: order.email,
        total_amount: Number((order.quantity * order.unitPrice).toFixed(2)),
        currency,
        placed_at: order.placedAt,
        items: [{ sku: order.slug, name: order.name, quantity: order.quantity, unit_price: order.unitPrice }],
      }),
    })
    if (response.ok) return null
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: string }
    return detail ?? `HTTP ${response.status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
