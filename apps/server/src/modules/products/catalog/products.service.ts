import type { ProductCategory, ProductLicense } from '@pegasus/contracts/products/product-rules'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { orThrow } from '../../../platform/errors/app-error.ts'
import { type Page, toPage, type PageRequest } from '../../../platform/http/paging.ts'
import { findTolerantly } from '../../../platform/search/search-words.queries.ts'
import { publish } from '../../events/index.ts'
import type { ProductContent } from './product-content.ts'
import {
  type BulkTier,
  type ProductFilter,
  type ProductRow,
  countProducts,
  findProduct,
  hasProducts,
  insertProduct,
  listProducts,
} from './products.queries.ts'

/** A filter for products, with the typed search instead of its words. */
export type ProductSearch = Omit<ProductFilter, 'words'> & { search?: string | undefined }

export interface Products {
  /**
   * Lists products of the catalog, newest first. If no product has the words of the search, lists the products with
   * similar words.
   */
  list(filter: ProductSearch, page: PageRequest): Promise<Page<ProductRow>>
  /** Returns a product. Throws PRODUCT_NOT_FOUND. */
  get(id: string): Promise<ProductRow>
}

export function createProducts({ database: { sql } }: { database: Database }): Products {
  return {
    async list({ search, ...rest }, page) {
      const { rows, total } = await findTolerantly(sql, search, {
        find: async (words) => {
          const filter = { ...rest, words }
          const [found, count] = await Promise.all([
            listProducts(sql, filter, page),
            countProducts(sql, filter),
          ])
          return { rows: found, total: count }
        },
        hasWords: (words) => hasProducts(sql, { words, isDeleted: rest.isDeleted === true }),
      })
      return toPage(rows, page.limit, total)
    },

    get: async (id) => orThrow(await findProduct(sql, id), 'PRODUCT_NOT_FOUND'),
  }
}

/**
 * Adds an unpublished product with this content and returns its id. The database checks the references and
 * the slug. Throws PRODUCT_SLUG_TAKEN, PRODUCT_INVALID, MODEL_NOT_FOUND or ITEM_NOT_FOUND.
 */
export async function insertContent(
  tx: Queryable,
  content: ProductContent,
  links: { itemId?: string | null | undefined; stlFileIds?: readonly string[] | undefined },
  by: AuditContext,
): Promise<string> {
  const id = uuidv7()
  const { bulk_tiers: bulkTiers, ...columns } = content
  const state = { status: 'not_published' as const, published_at: null, published_revision: null }
  await insertProduct(
    tx,
    { id, ...columns, ...state, item_id: links.itemId ?? null, created_at: by.now, updated_at: by.now },
    { bulkTiers, stlFileIds: links.stlFileIds ?? [] },
  )
  return id
}

/** A new product for the local catalog. The caller has validated its fields. */
export interface NewProduct {
  name: string
  slug: string
  category: ProductCategory
  priceMinor: number
  stock: number
  description: string
  tags?: readonly string[]
  images?: readonly string[]
  videos?: readonly string[]
  posterUrl?: string | null
  bulkTiers?: readonly BulkTier[] | null
  license?: ProductLicense | null
  designer?: string | null
  designerUrl?: string | null
  /** The item that is sold as this product. */
  itemId?: string | null
  stlFileIds?: readonly string[]
  /** The time when the shop got the product. Absent for an unpublished product. */
  publishedAt?: Date | null
}

/**
 * Adds a product, links it to its models, and sets `is_product` on these models. Returns the product's id.
 * The database checks the references and the slug. Throws PRODUCT_SLUG_TAKEN, PRODUCT_INVALID,
 * MODEL_NOT_FOUND or ITEM_NOT_FOUND.
 */
export async function createProduct(tx: Queryable, product: NewProduct, by: AuditContext): Promise<string> {
  const id = uuidv7()
  const publishedAt = product.publishedAt ?? null
  await insertProduct(
    tx,
    {
      id,
      name: product.name.trim(),
      slug: product.slug,
      category: product.category,
      price_minor: product.priceMinor,
      stock: product.stock,
      description: product.description,
      tags: [...(product.tags ?? [])],
      images: [...(product.images ?? [])],
      videos: [...(product.videos ?? [])],
      poster_url: product.posterUrl ?? null,
      license: product.license ?? null,
      designer: product.designer ?? null,
      designer_url: product.designerUrl ?? null,
      item_id: product.itemId ?? null,
      status: publishedAt ? 'published' : 'not_published',
      published_at: publishedAt,
      published_revision: publishedAt ? 1 : null,
      created_at: by.now,
      updated_at: by.now,
    },
    { bulkTiers: product.bulkTiers ?? null, stlFileIds: [...new Set(product.stlFileIds)] },
  )
  await publish(tx, { type: 'created', entity: 'product', id })
  for (const modelId of new Set(product.stlFileIds))
    await publish(tx, { type: 'updated', entity: 'stl_file', id: modelId })
  return id
}
