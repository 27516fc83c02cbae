import {
  bulkInventory,
  createIdenticalItems,
  createInventoryItem,
  deleteInventoryItem,
  duplicateInventoryItem,
  restoreInventoryItem,
  updateInventoryItem,
} from '@pegasus/contracts/inventory/item-changes'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { revisionIn } from '../../../platform/http/etag.ts'
import { type Presentation, presentItem } from './items.present.ts'
import type { Copies } from './copy-items.service.ts'
import type { Items } from './items.service.ts'

export function addItemRoutes(
  endpoints: Endpoints,
  deps: Presentation & { items: Items; copies: Copies },
): void {
  const { items, copies } = deps

  endpoints.add(createInventoryItem, async ({ body, caller }) => (await items.create(body, caller)).body)

  endpoints.add(updateInventoryItem, async ({ params, body, request, audit }) =>
    presentItem(await items.update(params.id, body, revisionIn(request), audit), deps),
  )

  endpoints.add(deleteInventoryItem, async ({ params, request, audit }) => {
    await items.remove(params.id, revisionIn(request), audit)
  })

  endpoints.add(restoreInventoryItem, async ({ params, audit }) =>
    presentItem(await items.restore(params.id, audit), deps),
  )

  endpoints.add(bulkInventory, ({ body, audit }) => items.bulk(body, audit))

  endpoints.add(
    duplicateInventoryItem,
    async ({ params, body, caller }) => (await copies.duplicate(params.id, body, caller)).body,
  )

  endpoints.add(
    createIdenticalItems,
    async ({ body, caller }) => (await copies.createIdentical(body, caller)).body,
  )
}
