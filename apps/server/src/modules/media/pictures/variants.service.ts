import { Readable } from 'node:stream'
import { PICTURE_WIDTHS, type PictureFormat } from '@pegasus/contracts/media/media-files'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { BoundedQueue } from '../../../platform/workers/bounded-queue.ts'
import type { ObjectRow } from '../media.queries.ts'
import { variantKeyOf } from '../stored-media.ts'
import { resizePicture } from './codec.ts'

export interface Variant {
  /** The key of its bytes. */
  key: string
  contentType: string
  /** In quotes. */
  etag: string
}

export interface Variants {
  /**
   * A picture in one of the offered sizes, rendered if it does not exist yet. Throws MEDIA_TYPE_REFUSED for a file
   * that is no picture, and PoolBusyError.
   */
  get(object: ObjectRow, wish: { width?: number | undefined; format: PictureFormat }): Promise<Variant>
}

const LARGEST = Math.max(...PICTURE_WIDTHS)

/** The next larger of the offered widths, so that a thousand requested widths cost six pictures. */
const widthFor = (wish: number | undefined): number =>
  PICTURE_WIDTHS.find((width) => width >= (wish ?? LARGEST)) ?? LARGEST

/** The best format that the caller accepts; JPEG or PNG if it names none. */
export function formatFor(accept: string | undefined): PictureFormat {
  if (accept?.includes('image/avif')) return 'avif'
  return accept?.includes('image/webp') ? 'webp' : 'jpeg'
}

/** Sizes are rendered at the first request and stored as objects. Fifty parallel requests wait for one rendering. */
export function createVariants(deps: { storage: ObjectStorage; turns: BoundedQueue }): Variants {
  const { storage, turns } = deps
  const drawing = new Map<string, Promise<void>>()

  const draw = async (key: string, object: ObjectRow, variant: { width: number; format: PictureFormat }) => {
    const bytes = await turns.run(() =>
      storage.withLocalFile(object.storage_key, (path) => resizePicture(path, variant)),
    )
    await storage.put(key, Readable.from([bytes]))
  }

  return {
    async get(object, { width: wish, format }) {
      if (!object.content_type.startsWith('image/'))
        throw new AppError('MEDIA_TYPE_REFUSED', { say: 'Only pictures come in other sizes.' })
      const variant = { width: widthFor(wish), format }
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
