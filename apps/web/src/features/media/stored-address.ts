import type { KnownMedia } from '@/lib/http/uploads/media-storage.ts'

export const isVideo = (name: string): boolean => /\.webm$/i.test(name)

/** Returns the address of a stored file. Its version keeps the browser from showing an older file from its cache. */
export const storedAddress = ({ address, version }: KnownMedia): string =>
  `${address}?v=${encodeURIComponent(version)}`
