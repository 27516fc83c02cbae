import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bestEncoding, compress } from '../compression.ts'

/** A document that does not change while the process runs. It is compressed in advance. */
export interface StaticDocument {
  /**
   * Sends the document in the best encoding that the client accepts, or 304 if the client has the current document.
   * With `no-cache`, clients ask each time, because an update of the server changes the document.
   */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/** Compresses `text` once. `headers` must contain its content type. */
export async function createStaticDocument(
  text: string,
  headers: Readonly<Record<string, string>>,
): Promise<StaticDocument> {
  const bytes = Buffer.from(text)
  const forms = { br: await compress.br(bytes), gzip: await compress.gzip(bytes) }
  // The tag is weak, because the encodings of the document have different bytes.
  const etag = `W/"${createHash('sha256').update(text).digest('base64url')}"`
  return {
    send(request, reply) {
      reply.headers({ ...headers, etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
      const known = request.headers['if-none-match'] ?? ''
      if (known === '*' || known.includes(etag.slice(2))) return reply.code(304).send()
      const encoding = bestEncoding(request.headers['accept-encoding'])
      if (encoding === null) return reply.send(bytes)
      return reply.header('content-encoding', encoding).send(forms[encoding])
    },
  }
}
