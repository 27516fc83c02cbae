import type { PictureSize } from '@pegasus/contracts/media/hosted-objects'
import type { PictureFormat } from '@pegasus/contracts/media/media-files'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { attachmentHeader, sendObject } from '../../platform/http/send-object.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import type { ObjectRow } from './media.queries.ts'
import { formatFor, type PictureKind, type Variants } from './pictures/variants.service.ts'
import { servedTypeOf } from './served-type.ts'

/** Headers that prevent a file from running as a page, and that let every page of the shop show the file. */
const FILE_HEADERS = {
  'content-security-policy':
    "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none';sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'none',
}

/**
 * Lets only the caller cache the response, and makes the cache revalidate it before each use, because the
 * address may have expired.
 */
export const PRIVATE = 'private, no-cache'

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

export interface MediaSender {
  /**
   * Sends the stored file. If `download` is set, sends it as an attachment with that name, or with its own
   * name if `download` is empty.
   */
  file(object: ObjectRow, download: string | undefined, exchange: Exchange): Promise<FastifyReply>
  /** Sends the picture in another size. Throws MEDIA_TYPE_REFUSED if the file is not a picture. */
  picture(
    object: ObjectRow,
    size: PictureSize,
    exchange: Exchange,
    download: string | undefined,
  ): Promise<FastifyReply>
}

/**
 * Returns the attachment header, or no header if the browser may show the file. `?download` without a value
 * uses the file's own name.
 */
const dispositionOf = (object: ObjectRow, download: string | undefined, isShown: boolean) =>
  download === undefined && isShown
    ? {}
    : { contentDisposition: attachmentHeader(download || (object.name.split('/').at(-1) ?? 'file')) }

/**
 * Returns the format of a variant when the caller requests the original format. PNG and GIF become WebP,
 * which looks the same, including transparency.
 */
const keptFormatOf = (own: PictureKind): PictureFormat => (own === 'avif' || own === 'jpeg' ? own : 'webp')

export function createMediaSender(deps: { storage: ObjectStorage; variants: Variants }): MediaSender {
  const { storage, variants } = deps
  return {
    async file(object, download, { request, reply }) {
      const { contentType, isShown } = servedTypeOf(object.content_type)
      reply.headers(FILE_HEADERS)
      return sendObject(request, reply, storage, {
        key: object.storage_key,
        contentType,
        etag: `"${object.sha256}"`,
        cacheControl: object.cache_control,
        lastModified: new Date(object.updated_at),
        ...dispositionOf(object, download, isShown),
      })
    },

    async picture(object, size, { request, reply }, download) {
      const own = await variants.formatOf(object)
      const format = size.format === 'origin' ? keptFormatOf(own) : size.format
      if (format === undefined) reply.header('vary', 'Accept, Origin')
      const wanted = { width: size.width, format: format ?? formatFor(request.headers.accept) }
      const variant = await variants.get(object, wanted)
      reply.headers(FILE_HEADERS)
      return sendObject(request, reply, storage, {
        ...variant,
        cacheControl: object.cache_control,
        ...dispositionOf(object, download, true),
      })
    },
  }
}
