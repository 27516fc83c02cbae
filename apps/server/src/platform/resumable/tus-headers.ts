import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

const VERSION = '1.0.0'

/** The header that every response of the TUS protocol contains. */
export const TUS_HEADERS: Readonly<Record<string, string>> = { 'tus-resumable': VERSION }

export const TUS_CONTENT_TYPE = 'application/offset+octet-stream'
const EXTENSIONS = 'creation,creation-with-upload,expiration,termination'
const MAX_METADATA_LENGTH = 8192
const MAX_FIELDS = 50

const headerOf = ({ headers }: FastifyRequest, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Throws TUS_VERSION unless the request names our version of the protocol. */
export function assertTusVersion(request: FastifyRequest): void {
  if (headerOf(request, 'tus-resumable') !== VERSION) throw new AppError('TUS_VERSION')
}

/** Reads a number of bytes from a header. Throws MALFORMED_REQUEST for anything else. */
function readBytes(request: FastifyRequest, name: string): number {
  const text = headerOf(request, name) ?? ''
  const bytes = Number(text)
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(bytes))
    throw new AppError('MALFORMED_REQUEST', { text: `${name} must be a number of bytes.` })
  return bytes
}

export const readUploadLength = (request: FastifyRequest): number => readBytes(request, 'upload-length')
export const readUploadOffset = (request: FastifyRequest): number => readBytes(request, 'upload-offset')

/** Whether the body contains bytes of the upload. Throws UNSUPPORTED_MEDIA_TYPE for a body of another type. */
export function hasChunk(request: FastifyRequest): boolean {
  const type = headerOf(request, 'content-type')
  if (type === TUS_CONTENT_TYPE) return true
  const isEmpty =
    request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0
  if (!isEmpty) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  return false
}

const malformed = (message: string): AppError => new AppError('MALFORMED_REQUEST', { text: message })

/**
 * Returns the `Upload-Metadata` header as sent, or an empty string. Throws MALFORMED_REQUEST if it is too
 * long.
 */
export function metadataHeaderOf(request: FastifyRequest): string {
  const text = headerOf(request, 'upload-metadata') ?? ''
  if (text.length > MAX_METADATA_LENGTH) throw malformed('Upload-Metadata is too long.')
  return text
}

/** Parses `Upload-Metadata`: names with Base64 values, separated by commas. Throws MALFORMED_REQUEST. */
export function readMetadata(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const pairs = text.trim() === '' ? [] : text.split(',')
  if (pairs.length > MAX_FIELDS) throw malformed('Upload-Metadata has too many fields.')
  for (const pair of pairs) {
    const [, name, encoded = ''] = /^\s*([^\s,]+)(?:\s+([A-Za-z0-9+/]*={0,2}))?\s*$/.exec(pair) ?? []
    if (name === undefined || values.has(name)) throw malformed('Upload-Metadata is not readable.')
    values.set(name, decode(encoded))
  }
  return values
}

function decode(encoded: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))
    // PostgreSQL cannot store NUL characters.
    if (text.includes('\0')) throw new Error('a zero character')
    return text
  } catch (cause) {
    throw new AppError('MALFORMED_REQUEST', {
      text: 'Upload-Metadata contains a value that is not text.',
      cause,
    })
  }
}

/**
 * Answers OPTIONS at the given paths with the server's capabilities. The response to a browser's preflight also needs
 * CORS headers, so this hook must be added before the CORS plugin.
 */
export function announceResumableUploads(
  http: FastifyInstance,
  { paths, maxBytes }: { paths: readonly string[]; maxBytes: number },
): void {
  const headers = {
    ...TUS_HEADERS,
    'tus-version': VERSION,
    'tus-extension': EXTENSIONS,
    'tus-max-size': String(maxBytes),
  }
  const isOurs = (url: string) => paths.some((path) => url === path || url.startsWith(`${path}/`))
  http.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'OPTIONS' || !isOurs(request.url.split('?')[0] ?? '')) return
    reply.headers(headers)
    if (request.headers['access-control-request-method'] === undefined) return reply.code(204).send()
  })
}
