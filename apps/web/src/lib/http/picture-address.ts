import { MEDIA_BUCKET, pictureVariantPath, publicMediaPath } from '@pegasus/contracts/media/media-files'

const OWN = publicMediaPath('')

/**
 * Returns the URL of a copy of our own picture that is no larger than needed. Other pictures and animations keep their
 * URL. A product can have been stored under another host name of this server, so every URL with our bucket's path is
 * ours, except those of the hosted project.
 */
export function pictureAddress(
  src: string,
  { width, projectUrl }: { width: number; projectUrl: string | null },
): string {
  const at = src.indexOf(OWN)
  const isOwn = at >= 0 && (projectUrl === null || !src.startsWith(`${new URL(projectUrl).origin}/`))
  if (!isOwn || src.includes('?') || /\.webp$/i.test(src)) return src
  const path = decodeURIComponent(src.slice(at + OWN.length))
  return pictureVariantPath(path, { width, format: 'webp' }, MEDIA_BUCKET)
}
