import { getCustomer } from '@pegasus/contracts/orders/customers'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Customers } from './customers.service.ts'

export function addCustomerRoutes(endpoints: Endpoints, { customers }: { customers: Customers }): void {
  endpoints.add(getCustomer, async ({ query }) => customers.get(query.name))
}
