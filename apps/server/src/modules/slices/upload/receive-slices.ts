import {
  MAX_SLICE_FILES,
  type SliceFormat,
  type UploadSliceFields,
  uploadSliceFields,
  uploadSliceFieldsOfKey,
} from '@pegasus/contracts/slices/slices'
import type { SlicedFile } from '@pegasus/mesh/gcode/sliced-file'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  asUploadError,
  drainPart,
  parseFields,
  readForm,
  partBytes,
} from '../../../platform/http/upload-parts.ts'
import type { ObjectStorage, PendingObject } from '../../../platform/storage/object-storage.ts'
import type { ReadSlice } from './slice-reader.ts'
import { displayFileName, formFileName } from '../../stl-library/index.ts'

const MAX_LENGTH = 255
const ENDINGS: Readonly<Record<SliceFormat, RegExp>> = {
  gcode: /\.(?:gcode|gco|g|nc)$/i,
  bgcode: /\.(?:bgcode|bgc)$/i,
  'gcode.3mf': /\.gcode\.3mf$/i,
}

/**
 * Returns the name of an uploaded file as people and printers see it. Printers need the extension, so it is
 * added if it is missing.
 */
export function sliceFileName(name: string | undefined, format: SliceFormat): string {
  const shown = name === undefined || name.trim() === '' ? 'sliced' : displayFileName(formFileName(name))
  if (ENDINGS[format].test(shown)) return shown
  const stem = format === 'gcode.3mf' ? shown.replace(/\.3mf$/i, '') : shown
  const ending = `.${format}`
  return `${[...stem].slice(0, MAX_LENGTH - ending.length).join('')}${ending}`
}

/**
 * A valid sliced file that is not visible yet. The code that receives this object has to commit or abort its
 * bytes.
 */
export interface ReceivedSlice {
  fileName: string
  content: SlicedFile
  pending: PendingObject
}

export interface ReceiveSliceDeps {
  storage: ObjectStorage
  readSlice: ReadSlice
  uploadLimitBytes: number
}

export interface SliceForm {
  fields: UploadSliceFields
  files: ReceivedSlice[]
}

/** Discards the received bytes that were not committed. Committed bytes stay. */
export async function abortSlices(files: readonly ReceivedSlice[]): Promise<void> {
  for (const { pending } of files) await pending.abort()
}

async function receiveFile(
  part: MultipartFile,
  { storage, readSlice }: ReceiveSliceDeps,
): Promise<ReceivedSlice> {
  const pending = await storage.begin()
  try {
    for await (const chunk of partBytes(part)) await pending.write(chunk)
    const content = await pending.withLocalFile(readSlice)
    return { fileName: sliceFileName(part.filename, content.format), content, pending }
  } catch (error) {
    await pending.abort()
    await drainPart(part)
    throw part.file.truncated ? new AppError('PAYLOAD_TOO_LARGE') : error
  }
}

/** If the form has several files, adds the name of the file to the error message. */
function naming(error: Error, part: MultipartFile, earlier: number): Error {
  if (!(error instanceof AppError) || error.code !== 'SLICE_REJECTED' || earlier === 0) return error
  return new AppError('SLICE_REJECTED', {
    text: `${sliceFileName(part.filename, 'gcode')}: ${error.message}`,
    cause: error,
  })
}

/**
 * Reads a form with sliced files. `isOfKey` says that an API key sent the form, which then has other fields. Throws
 * SLICE_FILE_MISSING, SLICE_REJECTED, INVALID_INPUT, PAYLOAD_TOO_LARGE or MALFORMED_REQUEST. No bytes remain after an
 * error.
 */
export async function receiveSlices(
  request: FastifyRequest,
  { isOfKey, ...deps }: ReceiveSliceDeps & { isOfKey: boolean },
): Promise<SliceForm> {
  const files: ReceivedSlice[] = []
  try {
    const limits = { fileSize: deps.uploadLimitBytes, files: MAX_SLICE_FILES }
    const values = await readForm(request, limits, async (part) => {
      try {
        files.push(await receiveFile(part, deps))
      } catch (error) {
        throw naming(error as Error, part, files.length)
      }
    })
    if (files.length === 0) throw new AppError('SLICE_FILE_MISSING')
    return { fields: parseFields(isOfKey ? uploadSliceFieldsOfKey : uploadSliceFields, values), files }
  } catch (error) {
    await abortSlices(files)
    throw asUploadError(request, error)
  }
}
