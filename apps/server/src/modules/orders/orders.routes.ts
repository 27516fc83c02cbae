import { getLineAccount, listOrderHistory, listOrderLocations } from '@pegasus/contracts/orders/order-account'
import { type Order, getOrder, listOrders, syncOrders } from '@pegasus/contracts/orders/orders'
import { bulkOrders } from '@pegasus/contracts/orders/bulk-orders'
import {
  cancelOrder,
  changeTracking,
  completeOrder,
  createOrder,
  deleteOrder,
  holdOrder,
  listCarriers,
  releaseFromOrder,
  reserveForOrder,
  restoreOrder,
  resumeOrder,
  returnToStock,
  shipOrder,
  undoReturn,
  undoShipment,
  updateOrder,
} from '@pegasus/contracts/orders/order-changes'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../platform/http/etag.ts'
import { idempotentCallerOf } from '../../platform/http/idempotency.ts'
import { createResponseCache, createObjectWriter } from '../../platform/http/lists/response-cache.ts'
import type { WrittenPage } from '../../platform/http/paging.ts'
import { createKnownRows } from '../../platform/http/lists/known-rows.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { BulkOrders } from './handling/bulk-orders.service.ts'
import type { OrderAccounts } from './account/order-account.service.ts'
import type { OrderActions } from './handling/order-actions.service.ts'
import type { ShipmentTracking } from './handling/tracking.service.ts'
import type { OrderIntake } from './intake/order-intake.service.ts'
import type { ShopOrderIntake } from './sync/shop-orders.service.ts'
import { type PresentOrder, dependenciesOf, lastMomentInTime } from './orders.present.ts'
import type { Orders } from './orders.service.ts'

export function addOrderRoutes(
  endpoints: Endpoints,
  deps: {
    orders: Orders
    intake: OrderIntake
    accounts: OrderAccounts
    actions: OrderActions
    tracking: ShipmentTracking
    bulk: BulkOrders
    sync: Pick<ShopOrderIntake, 'fetch'>
    clock: Clock
    database: Database
    present: PresentOrder
    signer: PathSigner
  },
): void {
  const { orders, accounts, intake, actions, tracking, bulk, sync, clock, present } = deps
  const responses = createResponseCache<WrittenPage>(deps)
  const rows = createKnownRows(deps)
  const writeOrder = createObjectWriter<Order>(getOrder)

  endpoints.add(syncOrders, async ({ audit }) => sync.fetch(audit))

  endpoints.add(listOrders, async (call) => {
    const { query } = call
    const filter = {
      search: query.search,
      status: query.status,
      customer: query.customer,
      itemId: query.inventory_item_id,
      dueBefore: query.due_before,
      stock: query.stock,
    }
    return responses.of(call, () =>
      rows.write(
        (since) => orders.find(filter, query, since),
        async (ids) => {
          const now = clock.now()
          return (await orders.read(ids)).map((row) => ({
            id: row.id,
            body: writeOrder(present(row)).body,
            dependsOn: dependenciesOf(row),
            goodUntil: lastMomentInTime(row, now),
          }))
        },
      ),
    )
  })

  endpoints.add(getOrder, async ({ params }) => present(await orders.get(params.id)))

  endpoints.add(getLineAccount, async ({ params }) => accounts.ofLine(params.id, params.line_id))

  endpoints.add(listOrderHistory, async ({ params }) => accounts.history(params.id))

  endpoints.add(listOrderLocations, async ({ params }) => accounts.locations(params.id))

  endpoints.add(createOrder, async ({ body, request, user, reply }) => {
    const answer = await intake.enter(body, idempotentCallerOf(request, user, clock))
    reply.status(answer.status)
    return answer.body
  })

  endpoints.add(updateOrder, async ({ params, body, request, audit }) =>
    present(await intake.edit(params.id, body, requiredRevisionIn(request), audit)),
  )

  endpoints.add(deleteOrder, async ({ params, request, audit }) => {
    await actions.remove(params.id, revisionIn(request), audit)
  })

  endpoints.add(restoreOrder, async ({ params, audit }) => present(await actions.restore(params.id, audit)))

  endpoints.add(reserveForOrder, ({ params, body, caller }) =>
    actions.reserve(params.id, body?.items, caller),
  )

  endpoints.add(releaseFromOrder, ({ params, body, caller }) =>
    actions.release(params.id, body?.items, caller),
  )

  endpoints.add(shipOrder, async ({ params, body, request, user, reply }) => {
    const answer = await actions.ship(params.id, body, idempotentCallerOf(request, user, clock))
    reply.status(answer.status)
    return answer.body
  })

  endpoints.add(changeTracking, async ({ params, body, request, audit }) => {
    const shipment = { orderId: params.id, shipmentId: params.shipment_id }
    return present(await tracking.change(shipment, body, requiredRevisionIn(request), audit))
  })

  endpoints.add(listCarriers, async () => tracking.latestCarriers())

  endpoints.add(bulkOrders, async ({ body, request, user }) =>
    bulk(body.ids, body.action, idempotentCallerOf(request, user, clock)),
  )

  endpoints.add(undoReturn, async ({ params, body, audit }) =>
    present(await actions.undoReturn(params.id, body.return_id, audit)),
  )

  endpoints.add(undoShipment, async ({ params, body, audit }) =>
    present(await actions.undoShipment(params.id, body.shipment_id, audit)),
  )

  endpoints.add(returnToStock, ({ params, body, caller }) => actions.takeBack(params.id, body.items, caller))

  endpoints.add(holdOrder, async ({ params, audit }) => present(await actions.hold(params.id, audit)))

  endpoints.add(resumeOrder, async ({ params, audit }) => present(await actions.resume(params.id, audit)))

  endpoints.add(cancelOrder, async ({ params, audit }) => present(await actions.cancel(params.id, audit)))

  endpoints.add(completeOrder, async ({ params, body, audit }) =>
    present(await actions.complete(params.id, body?.close_short ?? false, audit)),
  )
}
