/**
 * Storage paths and file names of product media. Both the server and the web app name files with `nameMedia`.
 */

export const MEDIA_BUCKET = 'product-images'
export const MEDIA_FOLDER = 'images/products/'
/** Number of seconds for which caches keep uploaded files: one hour. */
export const MEDIA_CACHE_SECONDS = 3600
/** File types that the upload page accepts. */
export const MEDIA_EXTENSIONS = ['.jpg', '.jpeg', '.webp', '.webm'] as const
/** Limits for pictures, in bytes and pixels. Photos from phones have at most 50 million pixels. */
export const MAX_PICTURE_BYTES = 50 * 1024 * 1024
export const MAX_PICTURE_PIXELS = 64_000_000
/** Maximum size of a video. */
export const MAX_VIDEO_BYTES = 500 * 1024 * 1024
/** Widths of pictures besides the original. A request for another width gets the next larger one. */
export const PICTURE_WIDTHS = [160, 320, 640, 960, 1280, 1920] as const
export const PICTURE_FORMATS = ['avif', 'webp', 'jpeg'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

const PICTURE_EXTENSIONS = new Set(['jpg', 'jpeg', 'webp', 'png', 'gif', 'avif'])

/**
 * Returns the extension in lower case without its dot, or `bin` if there is no extension that can be part of
 * an address.
 */
function extensionOf(name: string): string {
  const [, extension = ''] = /\.([a-z0-9]{1,10})$/i.exec(name) ?? []
  return extension.toLowerCase() || 'bin'
}

export interface MediaFile {
  /** Name of the file on the person's computer. Only the extension matters. */
  name: string
  /** Whether the file is marked as the poster. If several pictures are marked, the first one is used. */
  isPoster?: boolean
  /** Whether the file is marked as the video. If several `.webm` files are marked, the first one is used. */
  isVideo?: boolean
}

export const isPictureName = (name: string): boolean => PICTURE_EXTENSIONS.has(extensionOf(name))

/**
 * Returns unique names for the files of one upload, in the order of the files. The marked `.webm` becomes
 * `{slug}.webm`, the marked picture `{slug}-poster.jpg`, a single picture `{slug}.jpg`, several pictures
 * `{slug}-{n}.jpg`, and all other files `{slug}-{n}.{ext}`. Each count starts at 1.
 */
export function nameMedia(slug: string, files: readonly MediaFile[]): string[] {
  const isVideo = ({ name, isVideo: isMarked }: MediaFile) =>
    isMarked === true && extensionOf(name) === 'webm'
  const isPoster = ({ name, isPoster: isMarked }: MediaFile) => isMarked === true && isPictureName(name)
  // Only one marked file gets the special name, because a second one would overwrite the first.
  const video = files.find(isVideo)
  const poster = files.find(isPoster)
  const pictures = files.filter((file) => isPictureName(file.name))
  let pictureNumber = 0
  let otherNumber = 0
  return files.map((file) => {
    if (file === video) return `${slug}.webm`
    if (file === poster) return `${slug}-poster.jpg`
    if (isPictureName(file.name)) {
      pictureNumber += 1
      return pictures.length === 1 ? `${slug}.jpg` : `${slug}-${pictureNumber}.jpg`
    }
    otherNumber += 1
    return `${slug}-${otherNumber}.${extensionOf(file.name)}`
  })
}

/** Returns the path of a file in the bucket. */
export const mediaPath = (name: string): string => `${MEDIA_FOLDER}${name}`

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Returns the public address of a file, relative to the hosted service. */
export const publicMediaPath = (path: string, bucket: string = MEDIA_BUCKET): string =>
  `/storage/v1/object/public/${bucket}/${encodePath(path)}`

/** Returns the address of the picture, at most `width` pixels wide, in the given format. */
export const pictureVariantPath = (
  path: string,
  { width, format }: { width: number; format: PictureFormat },
  bucket: string = MEDIA_BUCKET,
): string => `/storage/v1/render/image/public/${bucket}/${encodePath(path)}?width=${width}&format=${format}`
