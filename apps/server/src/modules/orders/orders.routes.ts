import { getOrder, listOrders, syncOrders } from '@pegasus/contracts/orders'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { mapPage, pageRequestOf } from '../../platform/http/paging.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { presentOrder } from './orders.present.ts'
import type { OrderSyncing } from './order-sync.service.ts'
import type { Orders } from './orders.service.ts'

export function addOrderRoutes(
  endpoints: Endpoints,
  deps: { orders: Orders; sync: OrderSyncing; signer: PathSigner },
): void {
  const { orders, sync, signer } = deps

  endpoints.add(syncOrders, async ({ audit }) => sync.fetch(audit))

  endpoints.add(listOrders, async ({ query }) => {
    const filter = { search: query.search, status: query.status, itemId: query.inventory_item_id }
    return mapPage(await orders.list(filter, pageRequestOf(query)), (row) => presentOrder(row, signer))
  })

  endpoints.add(getOrder, async ({ params }) => presentOrder(await orders.get(params.id), signer))
}
