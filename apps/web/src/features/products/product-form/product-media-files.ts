import { isPictureName, nameMedia } from '@pegasus/contracts/media/media-files'
import type { StoredMedia } from '@/lib/http/uploads/media-storage.ts'
import { toOwnPath } from '@/lib/http/uploads/media-storage.ts'
import type { ProductForm } from './product-form.ts'

/** Returns the last part of a URL as a file name. */
export const nameOfAddress = (address: string): string => {
  const [path = ''] = address.split(/[?#]/)
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

const VIDEO = /\.(webm|mp4|mov|m4v|ogv|avi|mkv)$/i
export const isVideoAddress = (address: string): boolean => VIDEO.test(nameOfAddress(address))

/** Returns a file name with the first free number. */
const numbered = (slug: string, name: string, isTaken: (name: string) => boolean): string => {
  const extension = isPictureName(name) ? 'jpg' : (/[^.]+$/.exec(name)?.[0] ?? 'bin')
  for (let number = 1; ; number += 1) {
    const next = `${slug}-${number}.${extension}`
    if (!isTaken(next)) return next
  }
}

/**
 * Returns the names for files that are added to a product, by the shared naming rule. The names are not in use yet. A
 * `.webm` file becomes the product's video if it has none.
 */
export function nameAdded(slug: string, files: readonly File[], taken: ReadonlySet<string>): string[] {
  const used = new Set(taken)
  const names = nameMedia(
    slug,
    files.map(({ name }) => ({ name, isVideo: !taken.has(`${slug}.webm`) })),
  )
  return names.map((name) => {
    const free = used.has(name)
      ? numbered(slug, name, (each) => used.has(each) || names.includes(each))
      : name
    used.add(free)
    return free
  })
}

/** Returns the displayed names of all files of a product. */
export const shownNames = ({ images, videos, posterUrl }: ProductForm): Set<string> =>
  new Set([...images, ...videos, ...(posterUrl ? [posterUrl] : [])].map(nameOfAddress))

type Media = Pick<ProductForm, 'images' | 'videos' | 'posterUrl' | 'uploadedFiles'>

/**
 * Returns the media of a product with one more picture or video. The first picture is the poster unless somebody
 * selects another.
 */
export function withStored(form: ProductForm, { fileName, path, publicUrl }: StoredMedia): Media {
  const address = toOwnPath(publicUrl)
  const uploadedFiles = [
    ...form.uploadedFiles.filter((file) => file.path !== path),
    { fileName, path, publicUrl },
  ]
  return { ...withAddress(form, address), uploadedFiles }
}

export function withAddress(form: ProductForm, address: string): Media {
  const { images, videos, posterUrl, uploadedFiles } = form
  if (isVideoAddress(address))
    return {
      images,
      videos: [...videos.filter((each) => each !== address), address],
      posterUrl,
      uploadedFiles,
    }
  return {
    images: [...images.filter((each) => each !== address), address],
    videos,
    posterUrl: posterUrl || address,
    uploadedFiles,
  }
}

/** Returns the media of a product without one picture or video. The file itself stays stored. */
export function withoutAddress(form: ProductForm, address: string): Media {
  const images = form.images.filter((each) => each !== address)
  const videos = form.videos.filter((each) => each !== address)
  const posterUrl = form.posterUrl === address ? (images[0] ?? '') : form.posterUrl
  return { images, videos, posterUrl, uploadedFiles: form.uploadedFiles }
}

/** Returns the list with one element moved one position toward the beginning or the end. */
export function moved<Item>(items: readonly Item[], from: number, by: -1 | 1): Item[] {
  const next = [...items]
  const [item] = next.splice(from, 1)
  if (item !== undefined) next.splice(from + by, 0, item)
  return next
}
