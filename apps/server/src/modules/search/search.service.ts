import { orderSteps } from '@pegasus/contracts/orders/order-steps'
import { isAdmin } from '@pegasus/contracts/roles'
import { HITS_OF_A_KIND, type HitKind, type OrderAction, type SearchHit } from '@pegasus/contracts/search'
import { isOpenOrder } from '@pegasus/contracts/statuses'
import type { Database } from '../../platform/database/database.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import { findSpoolHits } from '../filament/index.ts'
import { findItemHits, findLocationHits } from '../inventory/index.ts'
import { type OrderHit, findCustomerHits, findOrderHits } from '../orders/index.ts'
import { findJobHits, findPrinterHits } from '../print-queue/index.ts'
import { findProductHits } from '../products/index.ts'
import { createFindModelHits } from '../stl-library/index.ts'
import { findAccountHits } from '../users/index.ts'

export type SearchEverything = (search: string, role: string) => Promise<SearchHit[]>

type Found = Pick<SearchHit, 'id' | 'title' | 'detail'> & Partial<SearchHit>

const hitsOf = <Row>(kind: HitKind, found: readonly Row[], present: (row: Row) => Found): SearchHit[] =>
  found.map((row) => ({ picture_path: null, ready_to_pack: false, actions: [], ...present(row), kind }))

function actionsOf({ status, line_sums: sums }: OrderHit): OrderAction[] {
  const canPrint = isOpenOrder(status) && sums.some((lines) => lines.printable_quantity > 0)
  // Whether a step is possible depends only on sums, so they can take the place of the lines.
  return [...orderSteps({ status, items: sums }), ...(canPrint ? (['print'] as const) : [])]
}

/**
 * Creates the search over all modules. It runs three queries at a time, so that a few searches do not occupy
 * all connections. Only administrators find accounts.
 */
export function createSearchEverything(deps: { database: Database; signer: PathSigner }): SearchEverything {
  // Plan each query for its actual words, because their frequency decides whether an index helps.
  const { planned: sql } = deps.database
  const findModels = createFindModelHits(deps)
  const limit = HITS_OF_A_KIND
  return async (search, role) => {
    const ofItems = findItemHits(sql, search, limit)
    const inLibrary = async () => {
      const models = await findModels(search, limit)
      const itemIds = (await ofItems).map(({ id }) => id)
      const jobs = await findJobHits(sql, { search, modelIds: models.map(({ id }) => id), itemIds, limit })
      return { models, jobs }
    }
    const inOrders = async () => ({
      items: await ofItems,
      orders: await findOrderHits(sql, search, limit),
      customers: await findCustomerHits(sql, search, limit),
    })
    const inRest = async () => ({
      spools: await findSpoolHits(sql, search, limit),
      printers: await findPrinterHits(sql, search, limit),
      locations: await findLocationHits(sql, search, limit),
      products: await findProductHits(sql, search, limit),
      accounts: isAdmin(role) ? await findAccountHits(sql, search, limit) : [],
    })
    const [
      { models, jobs },
      { items, orders, customers },
      { spools, printers, locations, products, accounts },
    ] = await Promise.all([inLibrary(), inOrders(), inRest()])
    return [
      ...hitsOf('model', models, (model) => ({ ...model, detail: null })),
      ...hitsOf('item', items, ({ id, name, sku }) => ({ id, title: name, detail: sku })),
      ...hitsOf('order', orders, (order) => ({
        id: order.id,
        title: order.order_number,
        detail: order.customer_name,
        ready_to_pack: order.is_ready,
        actions: actionsOf(order),
      })),
      ...hitsOf('customer', customers, ({ customer_name: name, orders: count }) => ({
        id: name,
        title: name,
        detail: count === 1 ? '1 order' : `${count} orders`,
      })),
      ...hitsOf('job', jobs, ({ id, name, label_code: code, status }) => ({
        id,
        title: name ?? code,
        detail: `${code} · ${status.replaceAll('_', ' ')}`,
      })),
      ...hitsOf('spool', spools, ({ id, name, label_code: code }) => ({ id, title: name, detail: code })),
      ...hitsOf('printer', printers, ({ id, name, model }) => ({ id, title: name, detail: model })),
      ...hitsOf('location', locations, ({ id, path, label_code: code }) => ({
        id,
        title: path,
        detail: code,
      })),
      ...hitsOf('product', products, ({ id, name, slug }) => ({ id, title: name, detail: slug })),
      ...hitsOf('account', accounts, ({ id, name, username }) => ({ id, title: name, detail: username })),
    ]
  }
}
