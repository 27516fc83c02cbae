/** Where product media are kept, and what their files are called. Both sides name files by `nameMedia` alone. */

export const MEDIA_BUCKET = 'product-images'
export const MEDIA_FOLDER = 'images/products/'
/** Uploads are kept by caches for an hour. */
export const MEDIA_CACHE_SECONDS = 3600
/** What the upload page takes. */
export const MEDIA_EXTENSIONS = ['.jpg', '.jpeg', '.webp', '.webm'] as const
/** Of pictures, in bytes and in pixels. A photograph of a telephone has 50 million at most. */
export const MAX_PICTURE_BYTES = 50 * 1024 * 1024
export const MAX_PICTURE_PIXELS = 64_000_000
/** Of videos. */
export const MAX_VIDEO_BYTES = 500 * 1024 * 1024
/** Widths that a picture is offered in besides its own; asked for another, the next larger one comes. */
export const PICTURE_WIDTHS = [160, 320, 640, 960, 1280, 1920] as const
export const PICTURE_FORMATS = ['avif', 'webp', 'jpeg'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

const PICTURE_EXTENSIONS = new Set(['jpg', 'jpeg', 'webp', 'png', 'gif', 'avif'])

/** Without the dot, in small letters; `bin` where the name has none that can stand in an address. */
function extensionOf(name: string): string {
  const [, extension = ''] = /\.([a-z0-9]{1,10})$/i.exec(name) ?? []
  return extension.toLowerCase() || 'bin'
}

export interface MediaFile {
  /** As the person's computer calls it; only its ending counts. */
  name: string
  /** Whether it was marked as the poster; counts for one picture, the first. */
  isPoster?: boolean
  /** Whether it was marked as the video; counts for one `.webm`, the first. */
  isVideo?: boolean
}

export const isPictureName = (name: string): boolean => PICTURE_EXTENSIONS.has(extensionOf(name))

/**
 * The names of the files of one upload, in their order; no two are the same. The marked `.webm` becomes `{slug}.webm`,
 * the marked picture `{slug}-poster.jpg`, a picture that is the only one `{slug}.jpg`, several pictures
 * `{slug}-{n}.jpg` and whatever else `{slug}-{n}.{ext}`, each counted from 1.
 */
export function nameMedia(slug: string, files: readonly MediaFile[]): string[] {
  const isVideo = ({ name, isVideo: isMarked }: MediaFile) =>
    isMarked === true && extensionOf(name) === 'webm'
  const isPoster = ({ name, isPoster: isMarked }: MediaFile) => isMarked === true && isPictureName(name)
  // Two files that are both marked would take one name, and the second would overwrite the first.
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

/** Where a file of that name lies in the bucket. */
export const mediaPath = (name: string): string => `${MEDIA_FOLDER}${name}`

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** The address at which anybody can read it, below the address of the hosted service. */
export const publicMediaPath = (path: string, bucket: string = MEDIA_BUCKET): string =>
  `/storage/v1/object/public/${bucket}/${encodePath(path)}`

/** The same picture no wider than so many pixels, in a format that every browser of today reads. */
export const pictureVariantPath = (
  path: string,
  { width, format }: { width: number; format: PictureFormat },
  bucket: string = MEDIA_BUCKET,
): string => `/storage/v1/render/image/public/${bucket}/${encodePath(path)}?width=${width}&format=${format}`
