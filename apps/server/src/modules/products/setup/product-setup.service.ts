import type { LicenseType } from '@pegasus/contracts/stl-library/licenses'
import { MEDIA_BUCKET, MEDIA_CACHE_SECONDS, mediaPath } from '@pegasus/contracts/media/media-files'
import { fromMinor } from '@pegasus/contracts/money'
import { type ProductLicense, SLUG_MAX_LENGTH, toSlug } from '@pegasus/contracts/products/product-rules'
import type { ProductStart } from '@pegasus/contracts/products/setup'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type IdempotentCaller, writePreparedOnce } from '../../../platform/http/idempotency.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { findItem } from '../../inventory/index.ts'
import type { MediaModule } from '../../media/index.ts'
import { describeShape, findModel, presentModel } from '../../stl-library/index.ts'
import { findTakenSlugs } from './product-setup.queries.ts'
import { printedWeight, type ProductCosts } from './product-costs.ts'

export interface Start {
  /**
   * Returns what is known about a model, an item, or both, as the start of a new product. Throws MODEL_NOT_FOUND or
   * ITEM_NOT_FOUND.
   */
  from(source: { stlFileId?: string | undefined; itemId?: string | undefined }): Promise<ProductStart>
  /**
   * Stores the pictures that the library has drawn as public media. Does not replace existing files, and adds no
   * picture twice. Throws MODEL_NOT_FOUND, THUMBNAIL_NOT_READY or IDEMPOTENCY_KEY_REUSED.
   */
  takePictures(
    model: { stlFileId: string; slug: string },
    by: IdempotentCaller,
  ): Promise<{ images: string[]; posterUrl: string | null }>
}

/** The product license for each license of a model. Public domain becomes CC0, which has no conditions, either. */
const PRODUCT_LICENSE_OF: Readonly<Record<LicenseType, ProductLicense>> = {
  'Public Domain': 'cc0',
  CC0: 'cc0',
  'CC BY': 'cc-by',
  'CC BY-SA': 'cc-by-sa',
  'CC BY-NC': 'cc-by-nc',
  Custom: 'custom',
}

const EMPTY: ProductStart = {
  name: '',
  slug: '',
  description: '',
  tags: [],
  license: null,
  designer: null,
  designerUrl: null,
  price: null,
  stock: null,
  inventory_item_id: null,
  stl_file_ids: [],
  size_mm: null,
  weight_grams: null,
  cost: null,
  pictures: [],
  attributions: [],
}

const rounded = (millimeters: number): number => Math.round(millimeters * 10) / 10

export function createStart(deps: {
  database: Database
  clock: Clock
  storage: ObjectStorage
  signer: PathSigner
  media: Pick<MediaModule, 'putNew'>
  costs: ProductCosts
  currency: string
}): Start {
  const { database, clock, storage, signer, media, costs, currency } = deps

  const getModel = async (id: string) => orThrow(await findModel(database.sql, id), 'MODEL_NOT_FOUND')

  const ofModel = async (id: string): Promise<Partial<ProductStart>> => {
    const row = await getModel(id)
    const model = presentModel(row, signer)
    const picture = (kind: 'picture' | 'back', path: string | null) =>
      path === null ? [] : [{ kind, stl_file_id: id, path }]
    const turntable =
      row.turntable_key === null ? [] : [{ kind: 'turntable' as const, stl_file_id: id, path: null }]
    const size = row.bounding_box_mm?.size
    return {
      name: row.title,
      // A description that the server derived from the shape is meant only for the library. The size has a field of its
      // own here.
      description: row.description === describeShape(row) ? '' : (row.description ?? ''),
      tags: row.tags,
      license: PRODUCT_LICENSE_OF[row.license_type],
      designer: row.metadata?.designer ?? null,
      designerUrl: row.attribution_url,
      stl_file_ids: [id],
      size_mm: size ? [rounded(size[0]), rounded(size[1]), rounded(size[2])] : null,
      weight_grams: printedWeight(row)?.grams ?? null,
      pictures: [
        ...picture('picture', model.thumbnail_path),
        ...picture('back', model.second_thumbnail_path),
        ...turntable,
      ],
      attributions: model.attribution === null ? [] : [model.attribution],
    }
  }

  const ofItem = async (id: string) => {
    const item = await findItem(database.sql, id)
    if (!item) throw new AppError('ITEM_NOT_FOUND')
    const { selling_price_minor: price } = item
    const start: Partial<ProductStart> = {
      name: item.name,
      price: price === null ? null : fromMinor(price, currency),
      stock: Math.max(0, item.quantity - item.reserved_quantity),
      inventory_item_id: id,
      ...(item.weight_grams !== null && { weight_grams: item.weight_grams }),
    }
    return { start, stlFileId: item.stl_file_id }
  }

  /** Returns a free slug for a name. If the slug is taken, a number is added. */
  const freeSlug = async (name: string): Promise<string> => {
    const slug = toSlug(name, SLUG_MAX_LENGTH - 5)
    if (slug === '') return ''
    const taken = new Set(await findTakenSlugs(database.sql, slug))
    for (let number = 2; ; number += 1) {
      if (!taken.has(slug)) return slug
      if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`
    }
  }

  /** Stores a file under the first of these names that is free. Returns null if all names are taken. */
  const store = async (names: Iterable<string>, key: string, by: AuditContext): Promise<string | null> => {
    const bytes = await readAll(storage, key)
    for (const name of names) {
      const path = mediaPath(name)
      const file = { bucket: MEDIA_BUCKET, path, bytes, cacheSeconds: MEDIA_CACHE_SECONDS }
      const address = await media.putNew(file, by)
      if (address !== null) return address
    }
    return null
  }

  const storePictures = async (stlFileId: string, slug: string, by: AuditContext) => {
    const row = await getModel(stlFileId)
    if (row.thumbnail_key === null) throw new AppError('THUMBNAIL_NOT_READY')
    const poster = await store([`${slug}-poster.jpg`], row.thumbnail_key, by)
    const keys = [row.thumbnail_key, row.second_thumbnail_key].filter((key) => key !== null)
    const images: (string | null)[] = []
    for (const key of keys) {
      const names = numbered(`${slug}-`, '.jpg')
      images.push(await store(keys.length === 1 ? [`${slug}.jpg`, ...names] : names, key, by))
    }
    // The animation is stored unchanged, without conversion.
    if (row.turntable_key !== null) {
      const names = [`${slug}-turntable.webp`, ...numbered(`${slug}-turntable-`, '.webp')]
      images.push(await store(names, row.turntable_key, by))
    }
    const kept = images.filter((address) => address !== null)
    // The poster is a copy of the first picture. If its name is taken, the first picture itself becomes the poster.
    return { images: kept, posterUrl: poster ?? kept[0] ?? null }
  }

  return {
    async from({ stlFileId, itemId }) {
      const item = itemId === undefined ? null : await ofItem(itemId)
      const modelId = stlFileId ?? item?.stlFileId ?? undefined
      const model = modelId === undefined ? {} : await ofModel(modelId)
      const start = { ...EMPTY, ...model, ...item?.start }
      const sheet = await costs.of({ itemId: start.inventory_item_id, modelIds: start.stl_file_ids })
      return {
        ...start,
        slug: await freeSlug(start.name),
        price: start.price ?? sheet?.suggested_price ?? null,
        cost: sheet?.unit_cost ?? null,
      }
    },

    takePictures: ({ stlFileId, slug }, by) =>
      // The files are stored outside of the transaction, because storing them again does no harm.
      writePreparedOnce({ database, clock }, by, ['products/start/pictures', stlFileId, slug], {
        prepare: () => storePictures(stlFileId, slug, by.audit),
        write: async (_, pictures) => pictures,
      }),
  }
}

/** Maximum number of names that are tried for a file. */
const MOST_NAMES = 200

const numbered = (before: string, after: string): string[] =>
  Array.from({ length: MOST_NAMES }, (_, at) => `${before}${at + 1}${after}`)

async function readAll(storage: ObjectStorage, key: string): Promise<Uint8Array> {
  const found = await storage.open(key)
  if (!found) throw new AppError('THUMBNAIL_NOT_READY', { detail: `object ${key} is gone` })
  const chunks: Uint8Array[] = []
  for await (const chunk of found.stream) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
