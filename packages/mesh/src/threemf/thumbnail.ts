import { RejectionError } from '../rejection-error.ts'
import { readWholeEntry } from '../zip/read-entry.ts'
import type { Package3mf } from './package.ts'

/**
 * The embedded picture of a file, with its type detected from its bytes. It is not decoded yet, so treat it
 * like any upload.
 */
export type EmbeddedPicture = { type: 'image/png' | 'image/jpeg'; bytes: Uint8Array<ArrayBuffer> }

const MAX_PICTURE_BYTES = 8 * 1024 * 1024
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]

/**
 * Reads the embedded picture. Returns null if there is no usable picture, because a broken picture is not a
 * reason to refuse a valid model.
 */
export async function readPicture({ archive, thumbnail }: Package3mf): Promise<EmbeddedPicture | null> {
  if (!thumbnail || thumbnail.sizeBytes > MAX_PICTURE_BYTES) return null
  try {
    const bytes = await readWholeEntry(archive, thumbnail, MAX_PICTURE_BYTES)
    const startsWith = (mark: number[]) => mark.every((byte, i) => bytes[i] === byte)
    if (startsWith(PNG)) return { type: 'image/png', bytes }
    return startsWith(JPEG) ? { type: 'image/jpeg', bytes } : null
  } catch (error) {
    if (error instanceof RejectionError) return null
    throw error
  }
}
