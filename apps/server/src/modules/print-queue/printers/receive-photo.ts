import { open } from 'node:fs/promises'
import { PRINTER_PHOTO_LIMIT } from '@pegasus/contracts/print-queue/printer-photos'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../platform/errors/app-error.ts'
import { asUploadError, drainPart, partBytes, readForm } from '../../../platform/http/upload-parts.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { createBoundedQueue } from '../../../platform/workers/bounded-queue.ts'
import { PictureRefusedError, SNIFF_BYTES, resizePicture, detectFormat } from '../../media/index.ts'

/** Width of stored photos, which is enough for the page of a printer on a high-resolution screen. */
const WIDTH_PX = 1280
/** Limits parallel decoding, because one picture may take 200 MB. */
const TURNS = createBoundedQueue({ concurrency: 1, maxWaiting: 20 })

const refuse = (message: string, cause?: unknown): AppError =>
  new AppError('PRINTER_PHOTO_REFUSED', { text: message, ...(cause !== undefined && { cause }) })

/**
 * Throws PRINTER_PHOTO_REFUSED unless the file begins like a picture. The declared type and the file name are ignored.
 */
async function assertPicture(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
    const kind = detectFormat(buffer.subarray(0, bytesRead))
    if (kind === 'unknown' || kind === 'webm' || kind === 'mp4')
      throw refuse('A photo must be a JPEG, PNG, WebP, GIF or AVIF file.')
  } finally {
    await file.close()
  }
}

/**
 * Decodes a picture under limits and returns it as WebP. Only its pixels are kept, without location, owner and hidden
 * data.
 */
async function encode(path: string): Promise<Buffer> {
  await assertPicture(path)
  try {
    return await TURNS.run(() => resizePicture(path, { width: WIDTH_PX, format: 'webp' }))
  } catch (error) {
    throw error instanceof PictureRefusedError ? refuse(error.message, error) : error
  }
}

async function receiveFile(part: MultipartFile, storage: ObjectStorage): Promise<Buffer> {
  const pending = await storage.begin()
  try {
    for await (const chunk of partBytes(part)) await pending.write(chunk)
    return await pending.withLocalFile(encode)
  } catch (error) {
    await drainPart(part)
    throw part.file.truncated ? new AppError('PAYLOAD_TOO_LARGE') : error
  } finally {
    await pending.abort()
  }
}

/**
 * Reads a form with one photo and returns the photo as WebP. Throws PRINTER_PHOTO_REFUSED, PAYLOAD_TOO_LARGE,
 * MALFORMED_REQUEST, or UNAVAILABLE after a failure of the system.
 */
export async function receivePhoto(request: FastifyRequest, storage: ObjectStorage): Promise<Buffer> {
  let photo: Buffer | null = null
  try {
    await readForm(request, { fileSize: PRINTER_PHOTO_LIMIT, files: 1 }, async (part) => {
      photo = await receiveFile(part, storage)
    })
  } catch (error) {
    throw asUploadError(request, error)
  }
  if (photo === null) throw refuse('Please choose a photo.')
  return photo
}
