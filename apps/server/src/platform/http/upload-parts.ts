import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../errors/app-error.ts'

/** The maximum number of fields in a form, which leaves room for clients that send extra fields. */
const MAX_FIELDS = 50
const MAX_FIELD_BYTES = 64 * 1024

/**
 * Yields the bytes of an uploaded file. Throws PAYLOAD_TOO_LARGE if the file exceeds its limit. If the consumer stops
 * early, the rest of the file can still be read.
 */
export async function* partBytes(part: MultipartFile): AsyncGenerator<Buffer> {
  const chunks: AsyncIterable<Buffer> = part.file.iterator({ destroyOnReturn: false })
  yield* chunks
  if (part.file.truncated) throw new AppError('PAYLOAD_TOO_LARGE')
}

/** Reads a part to its end and discards it. Otherwise a client that is still sending would not read the response. */
export async function drainPart(part: MultipartFile): Promise<void> {
  for await (const _chunk of part.file as AsyncIterable<Buffer>);
}

/**
 * Reads a form. Returns its text fields, and passes each part named `file` to `receive`. If `receive` fails, reads the
 * rest of the form, and then throws the first error.
 */
export async function readForm(
  request: FastifyRequest,
  limits: { fileSize: number; files: number },
  receive: (part: MultipartFile) => Promise<void>,
): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  let refusal: Error | null = null
  // If the client has already disconnected, the parser would wait forever for the end of the form.
  if (request.raw.destroyed) throw new Error('premature close')
  const fieldLimits = { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, fieldNameSize: 100 }
  for await (const part of request.parts({ limits: { ...limits, ...fieldLimits } })) {
    if (part.type === 'field') values.set(part.fieldname, String(part.value))
    else if (part.fieldname !== 'file' || refusal) await drainPart(part)
    else
      await receive(part).catch((error: Error) => {
        refusal = error
      })
  }
  if (refusal) throw refusal as Error
  return values
}

/** Parses the text fields of a form by its schema. Throws INVALID_INPUT. */
export function parseFields<Fields>(
  schema: z.ZodMiniType<Fields>,
  values: ReadonlyMap<string, string>,
): Fields {
  const parsed = z.safeParse(schema, Object.fromEntries(values))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  throw new AppError('INVALID_INPUT', { errors, text: errors[0]?.message ?? 'Not acceptable.' })
}

/**
 * Matches the form parser's messages for a form that ends too early, or for a body that is not a form. The
 * parser has no error codes for these cases.
 */
const PARSER_MESSAGES = /multipart|terminated early|end of form|part header|premature/i

/**
 * Turns the error of an interrupted upload into MALFORMED_REQUEST, because the client sent too little or hung
 * up. Returns other errors unchanged.
 */
export function asUploadError(request: FastifyRequest, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const isCut = request.raw.aborted || request.raw.errored === error || PARSER_MESSAGES.test(error.message)
  if (!isCut || 'statusCode' in error) return error
  return new AppError('MALFORMED_REQUEST', {
    text: 'The upload was interrupted. Please send it again.',
    detail: error.message,
    cause: error,
  })
}
