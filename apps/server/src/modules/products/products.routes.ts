import { fromMinor } from '@pegasus/contracts/money'
import { type Product, getProduct, listProducts } from '@pegasus/contracts/products'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { decodeCursor, sendPageHeaders, toPage } from '../../platform/http/paging.ts'
import {
  type ProductRow,
  countProducts,
  findProduct,
  listProducts as listProductRows,
} from './products.queries.ts'

/** A product in the words of the wire, which are the main site's. */
const presentProduct = (row: ProductRow, currency: string): Product => ({
  ...row,
  price: fromMinor(row.price_minor, currency),
  posterUrl: row.poster_url,
  bulkTiers:
    row.bulk_tiers?.map((tier) => ({
      quantity: tier.quantity,
      price: fromMinor(tier.price_minor, currency),
    })) ?? null,
  designerUrl: row.designer_url,
  has_unpublished_changes: row.published_revision !== null && row.published_revision < row.revision,
  inventory_item_id: row.item_id,
})

export function addProductRoutes(endpoints: Endpoints, deps: { database: Database; currency: string }): void {
  const { sql } = deps.database

  endpoints.add(listProducts, async ({ query, request, reply }) => {
    const filter = { search: query.search, status: query.status }
    const [rows, total] = await Promise.all([
      listProductRows(sql, filter, { cursor: decodeCursor(query.cursor), limit: query.limit }),
      countProducts(sql, filter),
    ])
    const page = toPage(rows, query.limit, total)
    sendPageHeaders(request, reply, page)
    return page.items.map((row) => presentProduct(row, deps.currency))
  })

  endpoints.add(getProduct, async ({ params, reply }) => {
    const row = await findProduct(sql, params.id)
    if (!row) throw new AppError('PRODUCT_NOT_FOUND')
    reply.header('etag', `"${row.revision}"`)
    return presentProduct(row, deps.currency)
  })
}
