/** The names of an order's fields in messages to people. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  order_number: 'order number',
  external_id: 'id in the shop',
  customer_name: "customer's name",
  customer_email: "customer's email",
  total_amount: 'total',
  shipping_amount: 'shipping amount',
  surcharge_amount: 'surcharge',
  kept_amount: 'kept amount',
  tax_amount: 'tax amount',
  discount_amount: 'discount',
  fee_amount: 'fee',
  placed_at: 'order date',
  due_at: 'due date',
  sku: 'SKU',
  unit_price: 'price',
  postal_code: 'postal code',
  line1: 'first address line',
  line2: 'second address line',
}

interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/**
 * Turns a broken rule into sentences for people: which value is wrong, on which line, and what to do. An example is
 * "The SKU of line 2 can have at most 64 characters. Correct the order in the shop, and it will be received."
 */
export function refusalSentence({ path, message }: Issue): string {
  const field = String(path.at(-1) ?? '')
  const line = path[0] === 'items' && typeof path[1] === 'number' ? ` of line ${path[1] + 1}` : ''
  const place = path[0] === 'shipping_address' && path.length > 1 ? ' of the shipping address' : line
  const said = message.startsWith(`${field} `)
    ? `The ${FIELD_NAMES[field] ?? field.replaceAll('_', ' ')}${place}${message.slice(field.length)}`
    : message
  return `${said.replace(/\.$/, '')}. Correct the order in the shop, and it will be received.`
}
