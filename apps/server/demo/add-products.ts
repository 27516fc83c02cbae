import type { ProductLicense } from '@pegasus/contracts/products/product-rules'
import { createProduct } from '../src/modules/products/index.ts'
import { HOUR_MS } from '../src/platform/clock.ts'
import type { Actor } from '../src/platform/actor.ts'
import type { Queryable } from '../src/platform/database/database.ts'
import type { AddedModel } from './add-models.ts'
import type { DemoModel } from './models/catalog.ts'
import type { StockedItem } from './stock/steps.ts'

const LICENSES: Readonly<Record<DemoModel['license'], ProductLicense>> = {
  'Public Domain': 'cc0',
  CC0: 'cc0',
  'CC BY': 'cc-by',
  'CC BY-SA': 'cc-by-sa',
  'CC BY-NC': 'cc-by-nc',
  Custom: 'custom',
}
/** One in this number of products is still a draft. */
const UNFINISHED_EVERY = 6
const BULK_TIERS = [
  { quantity: 10, share: 0.88 },
  { quantity: 50, share: 0.78 },
] as const

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

/** Adds a product for each item that customers buy. */
export async function addProducts(
  tx: Queryable,
  shop: {
    items: readonly StockedItem[]
    itemIds: ReadonlyMap<string, string>
    models: readonly DemoModel[]
    added: ReadonlyMap<string, AddedModel>
    quantityOf(sku: string): number
    /** When each item was added, by SKU. */
    addedAt: ReadonlyMap<string, Date>
    actor: Actor
  },
): Promise<void> {
  const offered = shop.items.filter((item) => item.demand > 0)
  const addedAt = (item: StockedItem): Date => shop.addedAt.get(item.sku) ?? item.modelAt
  for (const [index, item] of offered.toSorted((a, b) => +addedAt(a) - +addedAt(b)).entries()) {
    const model = shop.models.find(({ fileName }) => fileName === item.model)
    const stlFileId = shop.added.get(item.model)?.id
    // The pictures and the texts of a product take some hours.
    const madeAt = new Date(addedAt(item).getTime() + (3 + (index % 4)) * HOUR_MS)
    const isPublished = index % UNFINISHED_EVERY !== UNFINISHED_EVERY - 1
    await createProduct(
      tx,
      {
        name: item.name,
        slug: slugOf(item.name),
        category: item.category,
        priceMinor: item.priceMinor,
        stock: shop.quantityOf(item.sku),
        description: model?.description ?? item.name,
        tags: model?.tags ?? [],
        license: model ? LICENSES[model.license] : null,
        bulkTiers: BULK_TIERS.map(({ quantity, share }) => ({
          quantity,
          price_minor: Math.round(item.priceMinor * share),
        })),
        itemId: shop.itemIds.get(item.sku) ?? null,
        stlFileIds: stlFileId === undefined ? [] : [stlFileId],
        publishedAt: isPublished ? new Date(madeAt.getTime() + 3 * HOUR_MS) : null,
      },
      { actor: shop.actor, now: madeAt },
    )
  }
}
