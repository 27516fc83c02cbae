import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

export interface ObjectToSend {
  key: string
  contentType: string
  /** The tag with its quotes, as in the header. */
  etag: string
  cacheControl: string
  contentDisposition?: string
  /** The time when the bytes were stored under this name, for `If-Modified-Since`. */
  lastModified?: Date
}

interface Range {
  start: number
  /** The position of the last byte, which is included. */
  end: number
}

/**
 * Parses a single byte range. Returns null if the header contains no range that we serve; the whole file is
 * sent then (RFC 9110). Returns 'beyond' if the range starts after the end of the file.
 */
function parseRange(header: string | undefined, sizeBytes: number): Range | 'beyond' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  // An end before the start makes the header invalid.
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return start >= sizeBytes ? 'beyond' : { start, end }
}

/** Whether `If-None-Match` contains this tag. Weak tags count as well, because our tags identify the exact bytes. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.match(/"[^"]*"/g)?.some((tag) => tag === etag) ?? false
}

/**
 * Whether `If-Modified-Since` says that the client's copy is current. It is ignored if the request has a tag, because
 * tags are more exact.
 */
function isUnchanged(headers: FastifyRequest['headers'], lastModified: Date | undefined): boolean {
  const since = headers['if-modified-since']
  if (since === undefined || lastModified === undefined || headers['if-none-match'] !== undefined)
    return false
  // HTTP dates have whole seconds.
  return Math.floor(lastModified.getTime() / 1000) * 1000 <= Date.parse(since)
}

/** Streams a stored object, either whole or one range. Sends 304 if the client's copy is current. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  storage: ObjectStorage,
  object: ObjectToSend,
): Promise<FastifyReply> {
  const { key, etag, cacheControl, contentDisposition, lastModified } = object
  const gone = () => new AppError('NOT_FOUND', { detail: `object ${key} is gone` })
  // Set the headers only after this check. If the object is missing, a cache would store the error under the object's
  // tag.
  const stored = await storage.stat(key)
  if (!stored) throw gone()
  const caching = {
    etag,
    'cache-control': cacheControl,
    'accept-ranges': 'bytes',
    ...(lastModified && { 'last-modified': lastModified.toUTCString() }),
  }
  if (isKnown(request.headers['if-none-match'], etag) || isUnchanged(request.headers, lastModified))
    return reply.headers(caching).code(304).send()

  // A client continues a download with `If-Range`. If the file has changed, the client must get the whole file.
  const ifRange = request.headers['if-range']
  const isSame = ifRange === undefined || ifRange === etag
  const range = isSame ? parseRange(request.headers.range, stored.sizeBytes) : null
  if (range === 'beyond') {
    reply.header('content-range', `bytes */${stored.sizeBytes}`)
    throw new AppError('RANGE_NOT_SATISFIABLE')
  }
  // For HEAD, do not open the file. The body is an empty stream, because Fastify refuses a missing body.
  const stream =
    request.method === 'HEAD' ? Readable.from([]) : (await storage.open(key, range ?? undefined))?.stream
  if (!stream) throw gone()
  reply.headers(caching).type(object.contentType)
  if (contentDisposition !== undefined) reply.header('content-disposition', contentDisposition)
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${stored.sizeBytes}`)
    reply.header('content-length', range.end - range.start + 1)
  } else {
    reply.header('content-length', stored.sizeBytes)
  }
  return reply.send(stream)
}

/**
 * Returns a `Content-Disposition` header that saves the file under its original name, with any characters
 * that it contains (RFC 6266, RFC 8187).
 */
export function attachmentHeader(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Describes the download of an uploaded file: its name, and the hash of its bytes as its tag. */
export const asDownload = (
  file: { object_key: string; file_name: string; sha256: string },
  contentType: string,
): ObjectToSend => ({
  key: file.object_key,
  contentType,
  contentDisposition: attachmentHeader(file.file_name),
  etag: `"${file.sha256}"`,
  cacheControl: 'private, no-cache',
})
