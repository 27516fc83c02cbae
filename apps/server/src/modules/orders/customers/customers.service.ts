import { fromMinor } from '@pegasus/contracts/money'
import type { Customer } from '@pegasus/contracts/orders/customers'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { presentAddress } from '../orders.present.ts'
import { readCustomer } from './customers.queries.ts'

/** Reads customers. A customer has no record of its own: it is a name in orders. */
export interface Customers {
  /** Returns the customer with this name. Throws CUSTOMER_NOT_FOUND if no order has it. */
  get(name: string): Promise<Customer>
}

export const createCustomers = ({
  database,
  currency,
}: {
  database: Database
  currency: string
}): Customers => ({
  async get(asked) {
    const {
      name,
      first_order_at: firstAt,
      last_order_at: lastAt,
      total_minor: total,
      shipping_address: address,
      ...counts
    } = await readCustomer(database.sql, { name: asked, currency })
    if (name === null || firstAt === null || lastAt === null) throw new AppError('CUSTOMER_NOT_FOUND')
    return {
      ...counts,
      name,
      shipping_address: address && presentAddress(address),
      total_amount: fromMinor(total, currency),
      currency,
      first_order_at: firstAt,
      last_order_at: lastAt,
    }
  },
})
