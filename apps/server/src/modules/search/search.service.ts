import { foldText } from '@pegasus/contracts/texts/fuzzy'
import { orderSteps } from '@pegasus/contracts/orders/order-steps'
import { isAdmin } from '@pegasus/contracts/roles'
import { HITS_OF_A_KIND, type HitKind, type OrderAction, type SearchHit } from '@pegasus/contracts/search'
import { isOpenOrder } from '@pegasus/contracts/statuses'
import type { Database } from '../../platform/database/database.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import {
  type SearchWord,
  findSearchWords,
  withSimilarWords,
} from '../../platform/search/search-words.queries.ts'
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
  // A step depends only on sums of the lines, so the sums can replace the lines here.
  return [...orderSteps({ status, items: sums }), ...(canPrint ? (['print'] as const) : [])]
}

/** Returns whether a title contains all words of a search as they were typed, ignoring accents and case. */
const hasAll = (title: string, words: readonly SearchWord[]): boolean =>
  words.every(({ typed }) => foldText(title).includes(foldText(typed)))

/**
 * Creates the search over all modules. It runs at most three queries at a time, so that a few searches do not use all
 * connections. Only administrators find accounts.
 */
export function createSearchEverything(deps: { database: Database; signer: PathSigner }): SearchEverything {
  // Let the database plan each query for its actual words. Their frequency decides whether an index helps.
  const { planned: sql } = deps.database
  const findModels = createFindModelHits(deps)
  const limit = HITS_OF_A_KIND
  /** Finds objects of all kinds except models and jobs. */
  const findRows = async (search: string, words: readonly SearchWord[], role: string) => {
    const inOrders = async () => ({
      items: await findItemHits(sql, { search, words }, limit),
      orders: await findOrderHits(sql, words, limit),
      customers: await findCustomerHits(sql, words, limit),
    })
    const inRest = async () => ({
      spools: await findSpoolHits(sql, words, limit),
      printers: await findPrinterHits(sql, words, limit),
      locations: await findLocationHits(sql, words, limit),
      products: await findProductHits(sql, words, limit),
      accounts: isAdmin(role) ? await findAccountHits(sql, search, limit) : [],
    })
    const [ofOrders, rest] = await Promise.all([inOrders(), inRest()])
    return { ...ofOrders, ...rest }
  }
  /**
   * Finds models and other objects. Searches the other objects for similar words only if the typed words find nothing.
   */
  const findAll = async (search: string, role: string) => {
    const words = await findSearchWords(sql, search)
    const [models, rows] = await Promise.all([findModels(search, limit), findRows(search, words, role)])
    const isFound =
      Object.values(rows).some((found) => found.length > 0) ||
      models.some(({ title }) => hasAll(title, words))
    const similar = isFound ? null : await withSimilarWords(sql, words)
    return { models, ...(similar === null ? rows : await findRows(search, similar, role)) }
  }
  return async (search, role) => {
    const { models, items, orders, customers, spools, printers, locations, products, accounts } =
      await findAll(search, role)
    const jobs = await findJobHits(sql, {
      search,
      modelIds: models.map(({ id }) => id),
      itemIds: items.map(({ id }) => id),
      limit,
    })
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
