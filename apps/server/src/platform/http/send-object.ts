import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'

export interface ObjectToSend {
  key: string
  contentType: string
  /** Quoted, as it stands in the header. */
  etag: string
  cacheControl: string
}

interface Range {
  start: number
  /** Inclusive. */
  end: number
}

/** Reads a single byte range; null where there is none that we serve, and then the whole is sent (RFC 9110). */
function parseRange(header: string | undefined, sizeBytes: number): Range | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (start >= sizeBytes || end < start) throw new AppError('RANGE_NOT_SATISFIABLE')
  return { start, end }
}

/** Streams a stored object, whole or one range of it; 304 where the client has it already. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  storage: ObjectStorage,
  object: ObjectToSend,
): Promise<FastifyReply> {
  reply.headers({ etag: object.etag, 'cache-control': object.cacheControl, 'accept-ranges': 'bytes' })
  if (request.headers['if-none-match'] === object.etag) return reply.code(304).send()
  const found = await storage.stat(object.key)
  if (!found) throw new AppError('NOT_FOUND', { detail: `object ${object.key} is gone` })
  const range = parseRange(request.headers.range, found.sizeBytes)
  reply.type(object.contentType)
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${found.sizeBytes}`)
    reply.header('content-length', range.end - range.start + 1)
  } else {
    reply.header('content-length', found.sizeBytes)
  }
  // A HEAD must not open the file: nobody would read it to its end.
  if (request.method === 'HEAD') return reply.send()
  const opened = await storage.open(object.key, range ?? undefined)
  if (!opened) throw new AppError('NOT_FOUND', { detail: `object ${object.key} is gone` })
  return reply.send(opened.stream)
}
