import { createHash } from 'node:crypto'

/** Pictures of a product, for a shop that copies them to its own addresses. */
export interface SentMedia {
  images: string[]
  posterUrl: string | null
}

/** Returns the pictures in the order in which the shop shows them, poster first, without duplicates. */
export const picturesOf = ({ posterUrl, images }: SentMedia): string[] => [
  ...new Set(posterUrl === null ? images : [posterUrl, ...images]),
]

/**
 * Returns a name for the copy of a picture. It has only letters, digits and a hyphen, because shops show file names as
 * titles.
 */
export const nameOfPicture = (source: string): string =>
  `pegasus-${createHash('sha256').update(source).digest('hex').slice(0, 16)}`

export const writeMedia = ({ images, posterUrl }: SentMedia): string => JSON.stringify({ images, posterUrl })

/** Parses stored media. The result is empty if the text is missing or invalid. */
export function readMedia(text: string | undefined): SentMedia {
  const none = { images: [], posterUrl: null }
  if (text === undefined) return none
  try {
    const { images, posterUrl } = JSON.parse(text) as { images?: unknown; posterUrl?: unknown }
    if (!Array.isArray(images)) return none
    return {
      images: images.filter((address) => typeof address === 'string'),
      posterUrl: typeof posterUrl === 'string' ? posterUrl : null,
    }
  } catch {
    return none
  }
}

/**
 * Returns the shop's media. Those that were sent from here get the addresses that were sent, and those that were added
 * in the shop keep the shop's addresses.
 */
export function remoteMedia(there: readonly { name: string; src: string }[], sent: SentMedia): SentMedia {
  const wasSent = picturesOf(sent)
  const sources = new Map(wasSent.map((source) => [nameOfPicture(source), source]))
  const addresses = there.map(({ name, src }) => sources.get(name) ?? src)
  if (addresses.join('\n') === wasSent.join('\n')) return sent
  const [first, ...others] = addresses
  if (sent.posterUrl === null) return { images: addresses, posterUrl: null }
  const isPosterApart = first === sent.posterUrl && !sent.images.includes(first)
  return { images: isPosterApart ? others : addresses, posterUrl: first ?? null }
}
