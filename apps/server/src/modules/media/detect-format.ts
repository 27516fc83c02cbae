import { extname } from 'node:path'
import { startsLikeMp4 } from './upload/mp4.ts'

/**
 * The format of a file, detected from its bytes. The name and the declared type are ignored. A QuickTime video is `mp4`
 * too, because both have the same container.
 */
export type DetectedFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'webm' | 'mp4' | 'unknown'

/** How many bytes at the start of a file suffice to detect its format. */
export const SNIFF_BYTES = 64

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(
    bytes.buffer,
    bytes.byteOffset + at,
    Math.max(0, Math.min(text.length, bytes.length - at)),
  ).toString('latin1') === text

/** Detects the format of a file from its first bytes, of which `SNIFF_BYTES` are enough. */
export function detectFormat(bytes: Uint8Array): DetectedFormat {
  if (startsWith(bytes, '\xff\xd8\xff')) return 'jpeg'
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'png'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp'
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'gif'
  if (startsWith(bytes, 'ftypavif', 4) || startsWith(bytes, 'ftypavis', 4)) return 'avif'
  if (startsWith(bytes, '\x1a\x45\xdf\xa3')) return 'webm'
  if (startsLikeMp4(bytes)) return 'mp4'
  return 'unknown'
}

/** The formats in which the shop's media are stored. */
export type StoredFormat = PictureKind | VideoKind
export type PictureKind = 'jpeg' | 'png' | 'webp' | 'avif'
export type VideoKind = 'webm' | 'mp4' | 'mov'

const VIDEO_KINDS: ReadonlySet<string> = new Set<VideoKind>(['webm', 'mp4', 'mov'])
/** Returns whether a stored format is that of a video. */
export const isVideoKind = (kind: StoredFormat): kind is VideoKind => VIDEO_KINDS.has(kind)

export const CONTENT_TYPES: Readonly<Record<StoredFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  webm: 'video/webm',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
}

const BY_EXTENSION: Readonly<Record<string, StoredFormat>> = {
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.png': 'png',
  '.webp': 'webp',
  '.avif': 'avif',
  '.webm': 'webm',
  '.mp4': 'mp4',
  '.m4v': 'mp4',
  '.mov': 'mov',
}

/** Returns the format that a file with this name must have, or null if no file may have this name. */
export const formatOfName = (name: string): StoredFormat | null =>
  BY_EXTENSION[extname(name).toLowerCase()] ?? null
