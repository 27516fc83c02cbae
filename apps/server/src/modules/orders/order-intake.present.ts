import type { IntegrationOrder } from '@pegasus/contracts/integration'
import { fromMinor } from '@pegasus/contracts/money'
import type { OrderRow } from './orders.queries.ts'

/** An order with the fields for a shop, without pictures, which only people may see. */
export const presentIntegrationOrder = (row: OrderRow): IntegrationOrder => ({
  id: row.id,
  order_number: row.order_number,
  customer_name: row.customer_name,
  status: row.status,
  total_amount: fromMinor(row.total_minor, row.currency),
  currency: row.currency,
  placed_at: row.placed_at,
  due_at: row.due_at,
  items: row.lines.map((line) => ({
    id: line.id,
    sku: line.sku,
    name: line.name,
    quantity: line.quantity,
    unit_price: fromMinor(line.unit_price_minor, row.currency),
    inventory_item_id: line.inventory_item_id,
    available_quantity: line.available_quantity,
  })),
  source: row.source,
  external_id: row.external_id,
  notes: row.notes,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
