import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../errors/app-error.ts'

/** Fields of a form, with room for clients that send extra ones. */
const MAX_FIELDS = 50
const MAX_FIELD_BYTES = 64 * 1024

/** The bytes of a file, up to a limit. A reader that stops halfway can continue with the part itself. */
export async function* partBytes(part: MultipartFile): AsyncGenerator<Buffer> {
  const chunks: AsyncIterable<Buffer> = part.file.iterator({ destroyOnReturn: false })
  yield* chunks
  if (part.file.truncated) throw new AppError('PAYLOAD_TOO_LARGE')
}

/** Reads a part to its end without keeping it: a client that is sending does not listen for an answer. */
export async function drainPart(part: MultipartFile): Promise<void> {
  for await (const _chunk of part.file as AsyncIterable<Buffer>);
}

/**
 * Reads a form: gives its text fields, and each part named `file` to `receive`. A file that is refused refuses the form,
 * whose other parts are still read to the end.
 */
export async function readForm(
  request: FastifyRequest,
  limits: { fileSize: number; files: number },
  receive: (part: MultipartFile) => Promise<void>,
): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  let refusal: Error | null = null
  // A client that hung up before we listen would go unnoticed, and the parser would wait forever.
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

/** The text fields of a form by its schema. Throws INVALID_INPUT. */
export function parseFields<Fields>(
  schema: z.ZodMiniType<Fields>,
  values: ReadonlyMap<string, string>,
): Fields {
  const parsed = z.safeParse(schema, Object.fromEntries(values))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  throw new AppError('INVALID_INPUT', { errors, say: errors[0]?.message ?? 'Not acceptable.' })
}

/** Messages of the form parser for a form that ends too early or is not a form; it has no error codes. */
const PARSER_MESSAGES = /multipart|terminated early|end of form|part header|premature/i

/** A form that breaks off is the client's fault, whether it sent too little or hung up. */
export function asUploadError(request: FastifyRequest, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const isCut = request.raw.aborted || request.raw.errored === error || PARSER_MESSAGES.test(error.message)
  if (!isCut || 'statusCode' in error) return error
  return new AppError('MALFORMED_REQUEST', {
    say: 'The upload broke off before its end. Please send it again.',
    detail: error.message,
    cause: error,
  })
}
