import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { PICTURE_WIDTHS, type PictureFormat } from '@pegasus/contracts/media/media-files'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { BoundedQueue } from '../../../platform/workers/bounded-queue.ts'
import type { ObjectRow } from '../media.queries.ts'
import { variantKeyOf } from '../stored-media.ts'
import { isCleaned } from '../buckets/bucket-rules.ts'
import { SNIFF_BYTES, type DetectedFormat, detectFormat } from '../detect-format.ts'
import { PictureRefusedError, resizePicture } from './codec.ts'

export interface Variant {
  /** The storage key of the bytes. */
  key: string
  contentType: string
  /** The ETag, with its quotes. */
  etag: string
}

export interface Variants {
  /**
   * Returns the format of a stored picture, detected from its first bytes or taken from its verified type.
   * Throws MEDIA_TYPE_REFUSED.
   */
  formatOf(object: ObjectRow): Promise<PictureKind>
  /**
   * Returns a picture in one of the offered sizes, and renders it if that size does not exist yet. Throws
   * PoolBusyError, or MEDIA_TYPE_REFUSED if the file is not a picture or cannot be decoded within the limits.
   */
  get(object: ObjectRow, wanted: { width?: number | undefined; format: PictureFormat }): Promise<Variant>
}

const PICTURE_KINDS = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const satisfies DetectedFormat[]
export type PictureKind = (typeof PICTURE_KINDS)[number]

const HEAD = { start: 0, end: SNIFF_BYTES - 1 }

const notDrawn = (cause?: unknown): AppError =>
  new AppError('MEDIA_TYPE_REFUSED', { text: 'Only pictures are available in other sizes.', cause })

/** Returns the kind of picture. Throws MEDIA_TYPE_REFUSED if such pictures are not rendered. */
function assertPicture(kind: string): PictureKind {
  const known = PICTURE_KINDS.find((each) => each === kind)
  if (known === undefined) throw notDrawn()
  return known
}

const LARGEST = Math.max(...PICTURE_WIDTHS)

/**
 * Returns the smallest offered width that is large enough, or else the largest width. So even a thousand
 * requested widths cost only six pictures.
 */
const widthFor = (atLeast: number | undefined): number =>
  PICTURE_WIDTHS.find((width) => width >= (atLeast ?? LARGEST)) ?? LARGEST

/** Returns the best format that the caller accepts; JPEG if the caller accepts neither AVIF nor WebP. */
export function formatFor(accept: string | undefined): PictureFormat {
  if (accept?.includes('image/avif')) return 'avif'
  return accept?.includes('image/webp') ? 'webp' : 'jpeg'
}

/**
 * Renders each size when it is first requested, and stores it as an object. Parallel requests for a size wait
 * for the same rendering.
 */
export function createVariants(deps: { storage: ObjectStorage; turns: BoundedQueue }): Variants {
  const { storage, turns } = deps
  const drawing = new Map<string, Promise<void>>()

  const draw = async (key: string, object: ObjectRow, variant: { width: number; format: PictureFormat }) => {
    const bytes = await turns
      .run(() => storage.withLocalFile(object.storage_key, (path) => resizePicture(path, variant)))
      .catch((error: unknown) => {
        throw error instanceof PictureRefusedError ? notDrawn(error) : error
      })
    await storage.put(key, Readable.from([bytes]))
  }

  return {
    async formatOf(object) {
      if (isCleaned(object.bucket_id)) return assertPicture(object.content_type.replace('image/', ''))
      const head = object.size_bytes === 0 ? null : await storage.open(object.storage_key, HEAD)
      // Buckets that store bytes unchanged accept any declared type, so detect the type from the bytes.
      return assertPicture(head === null ? 'unknown' : detectFormat(await buffer(head.stream)))
    },

    async get(object, { width: atLeast, format }) {
      const variant = { width: widthFor(atLeast), format }
      const key = variantKeyOf(object.sha256, variant)
      if ((await storage.stat(key)) === null) {
        const underWay = drawing.get(key) ?? draw(key, object, variant).finally(() => drawing.delete(key))
        drawing.set(key, underWay)
        await underWay
      }
      const etag = `"${object.sha256.slice(0, 32)}-${variant.width}-${format}"`
      return { key, contentType: `image/${format}`, etag }
    },
  }
}
