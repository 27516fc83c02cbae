import { declareEndpoints } from '../endpoint.ts'
import { TUS_WRITE_ERRORS } from '../media/hosted-resumable.ts'
import { stlImport } from './imports.ts'
import { stlFile } from './models.ts'
import { uploadModel, uploadModelFields } from './upload.ts'

const tus = declareEndpoints('stl-library', { dialect: 'tus', notFound: 'UPLOAD_NOT_FOUND' })
const { post } = declareEndpoints('stl-library', { notFound: 'UPLOAD_NOT_FOUND' })

/** Path of the resumable uploads of models. The path of each upload begins with it. */
export const MODEL_UPLOADS_PATH = '/api/stl-files/uploads'

/**
 * Starts an upload through the protocol TUS 1.0.0, which can continue after a lost connection.
 * `Upload-Length` is the size of the file in bytes, and `Upload-Metadata` contains `filename`. When all bytes
 * have arrived, `POST …/{id}/model` creates the model.
 */
export const beginModelUpload = tus.post(MODEL_UPLOADS_PATH, 'staff', {
  summary: 'Begin a resumable upload of a model',
  isRawBody: true,
  sends: 'text/plain',
  errors: [...TUS_WRITE_ERRORS, 'TUS_VERSION', 'MALFORMED_REQUEST', 'TOO_MANY_UPLOADS'],
})

export const getModelUpload = tus.get(`${MODEL_UPLOADS_PATH}/:id`, 'staff', {
  summary: 'Number of received bytes of a resumable upload, in Upload-Offset (HEAD)',
  sends: 'text/plain',
  errors: ['UPLOAD_EXPIRED', 'TUS_VERSION'],
})

export const writeModelUpload = tus.patch(`${MODEL_UPLOADS_PATH}/:id`, 'staff', {
  summary: 'Send bytes of a resumable upload from Upload-Offset on',
  isRawBody: true,
  errors: [...TUS_WRITE_ERRORS, 'TUS_VERSION', 'MALFORMED_REQUEST'],
})

export const removeModelUpload = tus.del(`${MODEL_UPLOADS_PATH}/:id`, 'staff', {
  summary: 'Cancel a resumable upload',
  errors: ['UPLOAD_EXPIRED', 'TUS_VERSION', 'MALFORMED_REQUEST'],
})

/** The body contains the fields of the upload form as strings. If the file is refused, the upload ends. */
export const addUploadedModel = post(`${MODEL_UPLOADS_PATH}/:id/model`, 'staff', {
  summary: 'Add a model from a complete resumable upload; an archive starts an import',
  body: uploadModelFields,
  creates: stlFile,
  accepted: stlImport,
  errors: [...uploadModel.errors, 'UPLOAD_EXPIRED', 'UPLOAD_INCOMPLETE'],
})
