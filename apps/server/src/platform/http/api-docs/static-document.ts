import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { type InputType, brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }
/**
 * Brotli level 5 comes within a few percent of the smallest size and takes a twentieth of the highest level's
 * time.
 */
const BROTLI_LEVEL = 5

/** A document that does not change while the process runs, with its compressed forms. */
export interface StaticDocument {
  /**
   * Sends the document in the best form that the client accepts, or 304 if the client's copy is current. Clients check
   * each time whether their copy is current (`no-cache`), because an update of the server changes the document.
   */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/** Compresses `text` once. `headers` must contain its content type. */
export async function createStaticDocument(
  text: string,
  headers: Readonly<Record<string, string>>,
): Promise<StaticDocument> {
  const bytes: InputType = Buffer.from(text)
  const forms = {
    br: await compress.br(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
    gzip: await compress.gzip(bytes),
  }
  // Use a weak tag, because the compressed forms differ in their bytes.
  const etag = `W/"${createHash('sha256').update(text).digest('base64url')}"`
  return {
    send(request, reply) {
      reply.headers({ ...headers, etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
      const known = request.headers['if-none-match'] ?? ''
      if (known === '*' || known.includes(etag.slice(2))) return reply.code(304).send()
      const encoding = bestEncoding(String(request.headers['accept-encoding'] ?? ''))
      if (encoding === null) return reply.send(bytes)
      return reply.header('content-encoding', encoding).send(forms[encoding])
    },
  }
}

/** Returns the best encoding in an `Accept-Encoding` header, or null. `q=0` refuses an encoding (RFC 9110, 12.4.2). */
function bestEncoding(header: string): 'br' | 'gzip' | null {
  const accepted = new Set(
    header
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((word) => word.trim()))
      .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
      .map(([name]) => name),
  )
  return (['br', 'gzip'] as const).find((encoding) => accepted.has(encoding)) ?? null
}
