import { type UploadModelFields, uploadModelFields } from '@pegasus/contracts/stl-library/upload'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  asUploadError,
  drainPart,
  MAX_FIELD_BYTES,
  MAX_FIELDS,
  parseFields,
  partBytes,
} from '../../../platform/http/upload-parts.ts'
import { displayFileName, formFileName } from './file-name.ts'
import { abortReceived, type Received, type ReceiveDeps, receiveBytes } from './receive-bytes.ts'

export interface ReceiveFormDeps extends ReceiveDeps {
  uploadLimitBytes: number
}

export interface ReceivedForm<Fields = UploadModelFields> {
  fields: Fields
  /** Null if the form had no file. The caller commits or aborts its bytes. */
  file: Received | null
}

/**
 * Receives one file. A refused file is still read to its end, because a client that is sending does not listen for
 * the reason.
 */
async function receiveFile(part: MultipartFile, deps: ReceiveDeps): Promise<Received> {
  try {
    return await receiveBytes(
      partBytes(part),
      { fileName: displayFileName(formFileName(part.filename)) },
      deps,
    )
  } catch (error) {
    await drainPart(part)
    throw part.file.truncated ? new AppError('PAYLOAD_TOO_LARGE') : error
  }
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
      else if (part.fieldname !== 'file' || refusal) await drainPart(part)
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
