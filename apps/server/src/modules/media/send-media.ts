import type { PictureSize } from '@pegasus/contracts/media/hosted-objects'
import type { PictureFormat } from '@pegasus/contracts/media/media-files'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { attachmentHeader, sendObject } from '../../platform/http/send-object.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import type { ObjectRow } from './media.queries.ts'
import { formatFor, type Variants } from './pictures/variants.service.ts'

/** Headers that prevent a file from running as a page, and allow every page of the shop to show it. */
const FILE_HEADERS = {
  'content-security-policy':
    "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none';sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'none',
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

export interface MediaSender {
  /** Sends the stored file; with `download` as an attachment of that name, or of its own name if empty. */
  file(object: ObjectRow, download: string | undefined, exchange: Exchange): Promise<FastifyReply>
  /** Sends the picture in another size. Throws MEDIA_TYPE_REFUSED for a file that is no picture. */
  picture(object: ObjectRow, size: PictureSize, exchange: Exchange): Promise<FastifyReply>
}

/** `?download` without a value uses the file's own name. */
const dispositionOf = (object: ObjectRow, download: string | undefined) =>
  download === undefined
    ? {}
    : { contentDisposition: attachmentHeader(download || (object.name.split('/').at(-1) ?? 'file')) }

/** No size is stored as PNG. WebP looks the same, including transparency. */
const formatOf = (own: string): PictureFormat => (own === 'avif' || own === 'jpeg' ? own : 'webp')

export function createMediaSender(deps: { storage: ObjectStorage; variants: Variants }): MediaSender {
  const { storage, variants } = deps
  return {
    async file(object, download, { request, reply }) {
      reply.headers(FILE_HEADERS)
      return sendObject(request, reply, storage, {
        key: object.storage_key,
        contentType: object.content_type,
        etag: `"${object.sha256}"`,
        cacheControl: object.cache_control,
        lastModified: new Date(object.updated_at),
        ...dispositionOf(object, download),
      })
    },

    async picture(object, size, { request, reply }) {
      const own = object.content_type.replace('image/', '')
      const format = size.format === 'origin' ? formatOf(own) : size.format
      if (format === undefined) reply.header('vary', 'Accept, Origin')
      const wish = { width: size.width, format: format ?? formatFor(request.headers.accept) }
      const variant = await variants.get(object, wish)
      reply.headers(FILE_HEADERS)
      return sendObject(request, reply, storage, { ...variant, cacheControl: object.cache_control })
    },
  }
}
