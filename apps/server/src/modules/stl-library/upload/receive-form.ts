import { type UploadModelFields, uploadModelFields } from '@pegasus/contracts/stl-library/upload'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  asUploadError,
  drainPart,
  parseFields,
  readForm,
  partBytes,
} from '../../../platform/http/upload-parts.ts'
import { displayFileName, formFileName } from './file-name.ts'
import { abortReceived, type Received, type ReceiveDeps, receiveBytes } from './receive-bytes.ts'

export interface ReceiveFormDeps extends ReceiveDeps {
  uploadLimitBytes: number
}

export interface ReceivedForm<Fields = UploadModelFields> {
  fields: Fields
  /** Null if the form had no file. The caller has to commit or abort its bytes. */
  file: Received | null
}

/**
 * Receives one file. A refused file is still read to its end, because a client does not read the response
 * while it is sending.
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

/** Receives the form for a new model. */
export const receiveForm = (request: FastifyRequest, deps: ReceiveFormDeps): Promise<ReceivedForm> =>
  receiveFormOf(uploadModelFields, request, deps)

/**
 * Reads a form with the given text fields and a file. Throws MODEL_REJECTED, ARCHIVE_REJECTED, INVALID_INPUT,
 * PAYLOAD_TOO_LARGE or MALFORMED_REQUEST. No bytes remain in storage after an error.
 */
export async function receiveFormOf<Fields>(
  schema: z.ZodMiniType<Fields>,
  request: FastifyRequest,
  deps: ReceiveFormDeps,
): Promise<ReceivedForm<Fields>> {
  let file: Received | null = null
  try {
    const limits = { fileSize: deps.uploadLimitBytes, files: 1 }
    const values = await readForm(request, limits, async (part) => {
      file = await receiveFile(part, deps)
    })
    return { fields: parseFields(schema, values), file }
  } catch (error) {
    if (file) await abortReceived(file)
    throw asUploadError(request, error)
  }
}
