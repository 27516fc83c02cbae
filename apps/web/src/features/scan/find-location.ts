import { type Location, PATH_SEPARATOR } from '@pegasus/contracts/inventory/locations'

type Place = Pick<Location, 'path'>

/** Paths are typed with and without blanks around the slash, and shown with a dot before the bin. */
const plain = (path: string): string =>
  path
    .trim()
    .replace(/\s*[/·]\s*/g, '/')
    .toLowerCase()

const lastName = (path: string): string => path.split(PATH_SEPARATOR).at(-1) ?? path

/** What to search the places for: every word of the path. */
export const locationSearchOf = (text: string): string => text.replace(/[/·]/g, ' ').trim()

/** The place of that very path, else the only one of that very name; else why none is meant. */
export function findLocation<Found extends Place>(text: string, places: readonly Found[]): Found | string {
  const wanted = plain(text)
  const whole = places.find(({ path }) => plain(path) === wanted)
  if (whole) return whole
  const [place, ...others] = places.filter(({ path }) => plain(lastName(path)) === wanted)
  if (!place)
    return `No place is called “${text.trim()}”. Scan the label of the place, or type its whole name.`
  if (others.length === 0) return place
  return `${others.length + 1} places are called “${text.trim()}”. Type the whole path, such as “${place.path}”.`
}
