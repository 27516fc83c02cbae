import { type UploadModelFields, uploadModelFields } from '@pegasus/contracts/stl-library/upload'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../../../platform/errors/app-error.ts'
import { displayFileName, formFileName } from './file-name.ts'
import { abortReceived, type Received, type ReceiveDeps, receiveBytes } from './receive-bytes.ts'

/** Fields of the form, with room for clients that send extra ones. */
const MAX_FIELDS = 50
const MAX_FIELD_BYTES = 64 * 1024

export interface ReceiveFormDeps extends ReceiveDeps {
  uploadLimitBytes: number
}

export interface ReceivedForm<Fields = UploadModelFields> {
  fields: Fields
  /** Null if the form had no file. The caller commits or aborts its bytes. */
  file: Received | null
}

/** The bytes of a file, up to a limit. A reader that stops halfway can continue with the part itself. */
async function* bytesOf(part: MultipartFile): AsyncGenerator<Buffer> {
  const chunks: AsyncIterable<Buffer> = part.file.iterator({ destroyOnReturn: false })
  yield* chunks
  if (part.file.truncated) throw new AppError('PAYLOAD_TOO_LARGE')
}

const drain = async (part: MultipartFile): Promise<void> => {
  for await (const _chunk of part.file as AsyncIterable<Buffer>);
}

/**
 * Receives one file. A refused file is still read to its end, because a client that is sending does not listen for
 * the reason.
 */
async function receiveFile(part: MultipartFile, deps: ReceiveDeps): Promise<Received> {
  try {
    return await receiveBytes(bytesOf(part), { fileName: displayFileName(formFileName(part.filename)) }, deps)
  } catch (error) {
    await drain(part)
    throw part.file.truncated ? new AppError('PAYLOAD_TOO_LARGE') : error
  }
}

function parseFields<Fields>(schema: z.ZodMiniType<Fields>, values: ReadonlyMap<string, string>): Fields {
  const parsed = z.safeParse(schema, Object.fromEntries(values))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  throw new AppError('INVALID_INPUT', { errors, say: errors[0]?.message ?? 'Not acceptable.' })
}

/** The form of a new model. */
export const receiveForm = (request: FastifyRequest, deps: ReceiveFormDeps): Promise<ReceivedForm> =>
  receiveFormOf(uploadModelFields, request, deps)

/**
 * Reads a form with the given text fields and a file. Throws MODEL_REJECTED, ARCHIVE_REJECTED, INVALID_INPUT,
 * PAYLOAD_TOO_LARGE or MALFORMED_REQUEST; then no bytes remain in storage.
 */
export async function receiveFormOf<Fields>(
  schema: z.ZodMiniType<Fields>,
  request: FastifyRequest,
  deps: ReceiveFormDeps,
): Promise<ReceivedForm<Fields>> {
  const values = new Map<string, string>()
  let file: Received | null = null
  let refusal: Error | null = null
  try {
    // A client that hung up before we listen would go unnoticed, and the parser would wait forever.
    if (request.raw.destroyed) throw new Error('premature close')
    const limits = {
      fileSize: deps.uploadLimitBytes,
      files: 1,
      fields: MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      fieldNameSize: 100,
    }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') values.set(part.fieldname, String(part.value))
      else if (part.fieldname !== 'file' || refusal) await drain(part)
      else
        file = await receiveFile(part, deps).catch((error: Error) => {
          refusal = error
          return null
        })
    }
    if (refusal) throw refusal as Error
    return { fields: parseFields(schema, values), file }
  } catch (error) {
    if (file) await abortReceived(file)
    throw asUploadError(request, error)
  }
}

/** Messages of the form parser for a form that ends too early or is not a form; it has no error codes. */
const PARSER_MESSAGES = /multipart|terminated early|end of form|part header|premature/i

/** A form that breaks off is the client's fault, whether it sent too little or hung up. */
function asUploadError(request: FastifyRequest, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const isCut = request.raw.aborted || request.raw.errored === error || PARSER_MESSAGES.test(error.message)
  if (!isCut || 'statusCode' in error) return error
  return new AppError('MALFORMED_REQUEST', {
    say: 'The upload broke off before its end. Please send it again.',
    detail: error.message,
    cause: error,
  })
}
