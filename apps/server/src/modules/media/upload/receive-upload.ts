import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../platform/errors/app-error.ts'
import { drainPart } from '../../../platform/http/upload-parts.ts'
import type { ObjectStorage, PendingObject } from '../../../platform/storage/object-storage.ts'

/** The maximum number of form fields in addition to the file. It leaves room for extra fields of clients. */
const MAX_FIELDS = 20
const MAX_FIELD_BYTES = 16 * 1024

export interface ReceivedUpload {
  /** The received bytes. The caller commits or aborts them. */
  pending: PendingObject
  /** The type that the client declared, with its parameters. */
  contentType: string
  cacheControl: string
  userMetadata: Record<string, unknown> | null
}

interface ReceiveDeps {
  storage: ObjectStorage
  limitBytes: number
  /** Whether a file without bytes is accepted. */
  mayBeEmpty: boolean
  /** Throws if the type is not allowed. Called before any bytes are stored. */
  assertType(contentType: string): void
}

/** The type of a file if the client declares none. */
const UNKNOWN_TYPE = 'application/octet-stream'

const AGE = /^(?:max-age=)?(\d{1,9})$/

/**
 * Reads `3600` from a form or `max-age=3600` from a header. Any other value becomes `no-cache`, so that it
 * never gets into a response.
 */
export function cacheControlOf(text: string | undefined): string {
  const age = AGE.exec(text?.trim() ?? '')?.[1]
  return age === undefined ? 'no-cache' : `max-age=${Number(age)}`
}

/** Returns the client's metadata, or null if there is none. Throws MALFORMED_REQUEST. */
export function metadataOf(json: string | undefined): Record<string, unknown> | null {
  if (!json) return null
  try {
    const value: unknown = JSON.parse(json)
    // PostgreSQL cannot store a NUL character.
    if (typeof value !== 'object' || value === null || Array.isArray(value) || json.includes('\\u0000'))
      throw new Error('not an object')
    return value as Record<string, unknown>
  } catch (cause) {
    throw new AppError('MALFORMED_REQUEST', { text: 'metadata is not a JSON object', cause })
  }
}

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function encodedMetadataOf(request: FastifyRequest): string | undefined {
  const encoded = headerOf(request, 'x-metadata')
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString()
}

/**
 * Parses the header `x-metadata`, a JSON object in Base64. Returns null if it is missing. Throws
 * MALFORMED_REQUEST.
 */
export const metadataHeaderOf = (request: FastifyRequest): Record<string, unknown> | null =>
  metadataOf(encodedMetadataOf(request))

/**
 * Stores the bytes up to the limit. Reads and discards the rest, because a client that is still sending would
 * not read the response.
 */
async function keepBytes(
  pending: PendingObject,
  bytes: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<number> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.byteLength
    if (size <= limitBytes) await pending.write(chunk)
  }
  return size
}

async function receiveRaw(request: FastifyRequest, pending: PendingObject, deps: ReceiveDeps) {
  const { limitBytes } = deps
  const contentType = headerOf(request, 'content-type') ?? UNKNOWN_TYPE
  deps.assertType(contentType)
  const body = request.body as AsyncIterable<Uint8Array> | undefined
  const size = body ? await keepBytes(pending, body, limitBytes) : 0
  return {
    size,
    contentType,
    cacheControl: headerOf(request, 'cache-control'),
    metadata: encodedMetadataOf(request),
  }
}

async function receiveForm(request: FastifyRequest, pending: PendingObject, deps: ReceiveDeps) {
  const { limitBytes } = deps
  let contentType = UNKNOWN_TYPE
  let refusal: Error | null = null
  const fields = new Map<string, string>()
  let size: number | null = null
  const limits = {
    // Set the parser's limit one byte higher, so that the caller notices when a file is too large.
    fileSize: limitBytes + 1,
    fields: MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    fieldNameSize: 100,
    files: 5,
  }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') fields.set(part.fieldname, String(part.value))
    else if (size === null) {
      contentType = fields.get('contentType') || part.mimetype
      refusal = refusalOf(() => deps.assertType(contentType))
      // Read and discard the rest of a refused file, because a client that is still sending would not read
      // the response.
      if (refusal) await drainPart(part)
      size = refusal ? 0 : await keepPart(pending, part, limitBytes)
    } else await drainPart(part)
  }
  if (refusal) throw refusal
  return {
    size: size ?? 0,
    contentType,
    cacheControl: fields.get('cacheControl'),
    metadata: fields.get('metadata'),
  }
}

function refusalOf(check: () => void): Error | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

async function keepPart(pending: PendingObject, part: MultipartFile, limitBytes: number): Promise<number> {
  const size = await keepBytes(pending, part.file, limitBytes)
  return part.file.truncated ? limitBytes + 1 : size
}

/**
 * Matches the form parser's messages for an incomplete or invalid form. The parser has no error codes for
 * these cases.
 */
const PARSER_MESSAGES = /multipart|terminated early|end of form|part header|premature|aborted/i

function asUploadError(request: FastifyRequest, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const isCut = request.raw.aborted || request.raw.errored === error || PARSER_MESSAGES.test(error.message)
  if (!isCut || 'statusCode' in error) return error
  return new AppError('MALFORMED_REQUEST', {
    text: 'The upload was interrupted. Please send it again.',
    cause: error,
  })
}

/**
 * Receives one file in any form that the hosted service's client sends. The body is either the file itself,
 * or a multipart form whose file part can have any name or none. Throws PAYLOAD_TOO_LARGE or
 * MALFORMED_REQUEST, and then leaves nothing behind.
 */
export async function receiveUpload(request: FastifyRequest, deps: ReceiveDeps): Promise<ReceivedUpload> {
  // If the client has already disconnected, no further event would occur, and the parser would wait forever.
  if (request.raw.destroyed) throw new AppError('MALFORMED_REQUEST')
  const pending = await deps.storage.begin()
  try {
    const isForm = request.isMultipart()
    const received = await (isForm ? receiveForm : receiveRaw)(request, pending, deps)
    if (received.size > deps.limitBytes)
      throw new AppError('PAYLOAD_TOO_LARGE', { text: 'The object exceeded the maximum allowed size' })
    if (received.size === 0 && !deps.mayBeEmpty)
      throw new AppError('MALFORMED_REQUEST', { text: 'There is no file in this request.' })
    return {
      pending,
      contentType: received.contentType,
      cacheControl: cacheControlOf(received.cacheControl),
      userMetadata: metadataOf(received.metadata),
    }
  } catch (error) {
    await pending.abort()
    throw asUploadError(request, error)
  }
}
