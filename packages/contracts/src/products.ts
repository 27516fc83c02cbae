import * as z from 'zod/mini'
import { idParams, pageQuery, searchText, timestamp } from './common.ts'
import { defineEndpoint } from './endpoint.ts'
import { PRODUCT_STATUSES } from './statuses.ts'

export const PRODUCT_CATEGORIES = ['miniatures', 'terrain', 'accessories', 'tools', 'other'] as const
export type ProductCategory = (typeof PRODUCT_CATEGORIES)[number]

export const PRODUCT_LICENSES = ['cc0', 'cc-by', 'cc-by-sa', 'cc-by-nc', 'custom'] as const
export type ProductLicense = (typeof PRODUCT_LICENSES)[number]

/** A product of the local catalogue, by the field names of the main site. */
export const product = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  category: z.enum(PRODUCT_CATEGORIES),
  price: z.number(),
  stock: z.number(),
  description: z.string(),
  tags: z.array(z.string()),
  images: z.array(z.string()),
  videos: z.array(z.string()),
  posterUrl: z.nullable(z.string()),
  bulkTiers: z.nullable(z.array(z.object({ quantity: z.number(), price: z.number() }))),
  license: z.nullable(z.enum(PRODUCT_LICENSES)),
  designer: z.nullable(z.string()),
  designerUrl: z.nullable(z.string()),
  status: z.enum(PRODUCT_STATUSES),
  failure_reason: z.nullable(z.string()),
  site_url: z.nullable(z.string()),
  published_at: z.nullable(timestamp),
  /** Whether it was changed since the site got it. */
  has_unpublished_changes: z.boolean(),
  inventory_item_id: z.nullable(z.uuid()),
  stl_file_ids: z.array(z.uuid()),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Product = z.output<typeof product>

export const listProducts = defineEndpoint({
  method: 'GET',
  path: '/api/products',
  summary: 'The local catalogue, newest first',
  tag: 'products',
  access: 'signed-in',
  query: z.object({
    ...pageQuery,
    /** Each word must occur in the name or the slug. */
    search: searchText,
    status: z.optional(z.enum(PRODUCT_STATUSES, 'status is not one of the statuses of a product')),
  }),
  success: { status: 200, body: z.array(product) },
  errors: ['UNAUTHENTICATED', 'INVALID_INPUT'],
})

export const getProduct = defineEndpoint({
  method: 'GET',
  path: '/api/products/:id',
  summary: 'One product',
  tag: 'products',
  access: 'signed-in',
  params: idParams,
  success: { status: 200, body: product },
  errors: ['UNAUTHENTICATED', 'PRODUCT_NOT_FOUND'],
})
