import { extname } from 'node:path'

/** Detects a file's format from its bytes. Names and declared types are ignored. */
export type SniffedKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'webm' | 'unknown'

/** How many first bytes are enough to detect it. */
export const SNIFF_BYTES = 64

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(
    bytes.buffer,
    bytes.byteOffset + at,
    Math.max(0, Math.min(text.length, bytes.length - at)),
  ).toString('latin1') === text

export function sniffKind(bytes: Uint8Array): SniffedKind {
  if (startsWith(bytes, '\xff\xd8\xff')) return 'jpeg'
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'png'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp'
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'gif'
  if (startsWith(bytes, 'ftypavif', 4) || startsWith(bytes, 'ftypavis', 4)) return 'avif'
  if (startsWith(bytes, '\x1a\x45\xdf\xa3')) return 'webm'
  return 'unknown'
}

/** The stored format for a name. */
export type StoredKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'webm'

export const CONTENT_TYPES: Readonly<Record<StoredKind, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  webm: 'video/webm',
}

const BY_EXTENSION: Readonly<Record<string, StoredKind>> = {
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.png': 'png',
  '.webp': 'webp',
  '.avif': 'avif',
  '.webm': 'webm',
}

/** The format that a file of that name must have; null if no file may have that name. */
export const kindOfName = (name: string): StoredKind | null =>
  BY_EXTENSION[extname(name).toLowerCase()] ?? null
