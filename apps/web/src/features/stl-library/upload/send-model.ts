import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { addUploadedModel, MODEL_UPLOADS_PATH } from '@pegasus/contracts/stl-library/resumable-upload'
import { uploadModel } from '@pegasus/contracts/stl-library/upload'
import { uploadResumably } from '@/lib/http/uploads/resumable-upload.ts'
import { type UploadOptions, uploadWithProgress } from '@/lib/http/uploads/upload.ts'

/**
 * Files from this size on are sent as resumable uploads. The server writes the bytes of such an upload twice,
 * so for smaller files a single request is faster, and repeating it costs little.
 */
const RESUMABLE_FROM_BYTES = 32 * 1024 * 1024

/** Sends a file to the library. Throws an ApiError, or the reason of an aborted signal. */
export const sendModel = (options: UploadOptions & { file: File }): Promise<Model | ModelImport> =>
  options.file.size < RESUMABLE_FROM_BYTES
    ? uploadWithProgress(uploadModel, options)
    : uploadResumably({ ...options, uploadsPath: MODEL_UPLOADS_PATH, finish: addUploadedModel })
