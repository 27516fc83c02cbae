import { createStlInspector } from '@pegasus/mesh/stl-inspector'
import type { MeshWarning } from '@pegasus/mesh/stl-types'
import { type UploadStlFileFields, uploadStlFileFields } from '@pegasus/contracts/stl-upload'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ObjectStorage, PendingObject } from '../../../platform/storage/object-storage.ts'
import { displayFileName } from './file-name.ts'

/** Fields of the form, with room for clients that send some of their own. */
const MAX_FIELDS = 50
const MAX_FIELD_BYTES = 64 * 1024

export interface ReceivedFile {
  fileName: string
  encoding: 'binary' | 'ascii'
  triangles: number
  warnings: MeshWarning[]
  pending: PendingObject
}

export interface ReceivedForm {
  fields: UploadStlFileFields
  /** Null when the form carried none. The caller commits or aborts its bytes. */
  file: ReceivedFile | null
}

/**
 * Streams one file into storage, checking its structure on the way. What is refused is read to its end all
 * the same, since a client that is still sending does not listen for the reason.
 */
async function receiveFile(part: MultipartFile, storage: ObjectStorage): Promise<ReceivedFile> {
  const inspector = createStlInspector()
  const pending = await storage.begin()
  try {
    let rejection: { message: string } | null = null
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      if (rejection) continue
      rejection = inspector.push(chunk)
      if (!rejection) await pending.write(chunk)
    }
    if (part.file.truncated) throw new AppError('PAYLOAD_TOO_LARGE')
    if (rejection) throw new AppError('MODEL_REJECTED', { say: rejection.message })
    const verdict = inspector.finish()
    if (!verdict.ok) throw new AppError('MODEL_REJECTED', { say: verdict.message })
    const { encoding, triangles, warnings } = verdict
    return { fileName: displayFileName(part.filename), encoding, triangles, warnings, pending }
  } catch (error) {
    await pending.abort()
    throw error
  }
}

function parseFields(values: ReadonlyMap<string, string>): UploadStlFileFields {
  const parsed = z.safeParse(uploadStlFileFields, Object.fromEntries(values))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  throw new AppError('INVALID_INPUT', { errors, say: errors[0]?.message ?? 'Not acceptable.' })
}

const drain = async (part: MultipartFile): Promise<void> => {
  for await (const _chunk of part.file as AsyncIterable<Buffer>);
}

/**
 * Reads the upload form. Throws MODEL_REJECTED, INVALID_INPUT, PAYLOAD_TOO_LARGE or MALFORMED_REQUEST, and
 * then nothing of it is left in storage.
 */
export async function receiveForm(
  request: FastifyRequest,
  deps: { storage: ObjectStorage; uploadLimitBytes: number },
): Promise<ReceivedForm> {
  const values = new Map<string, string>()
  let file: ReceivedFile | null = null
  let refusal: Error | null = null
  try {
    // A client that hung up before we listen would never be heard of again, and the parser would wait for ever.
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
        file = await receiveFile(part, deps.storage).catch((error: Error) => {
          refusal = error
          return null
        })
    }
    if (refusal) throw refusal as Error
    return { fields: parseFields(values), file }
  } catch (error) {
    await file?.pending.abort()
    throw asUploadError(request, error)
  }
}

/** What the form parser says of a form that ends too early, or that is none; it has no codes for it. */
const PARSER_MESSAGES = /multipart|terminated early|end of form|part header|premature/i

/** A form that breaks off is the client's doing, whether it sent too little or hung up. */
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
