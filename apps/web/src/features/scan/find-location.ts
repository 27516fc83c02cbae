import { type Location, PATH_SEPARATOR } from '@pegasus/contracts/inventory/locations'
import { t } from '@/lib/i18n/messages.ts'

type Candidate = Pick<Location, 'path'>

/** Normalizes a path. People type it with or without spaces around the slash, and labels have a dot before the bin. */
const normalize = (path: string): string =>
  path
    .trim()
    .replace(/\s*[/·]\s*/g, '/')
    .toLowerCase()

const nameOf = (path: string): string => path.split(PATH_SEPARATOR).at(-1) ?? path

/** Returns the search text for a path, which consists of the path's words. */
export const locationSearchOf = (text: string): string => text.replace(/[/·]/g, ' ').trim()

/**
 * Returns the location with exactly this path, or else the only location with this name. If there is none, returns the
 * reason.
 */
export function findLocation<Found extends Candidate>(
  text: string,
  locations: readonly Found[],
): Found | string {
  const normalized = normalize(text)
  const exact = locations.find(({ path }) => normalize(path) === normalized)
  if (exact) return exact
  const [match, ...others] = locations.filter(({ path }) => normalize(nameOf(path)) === normalized)
  if (!match)
    return t('There is no location named “{text}”. Scan its label or type its full name.', {
      text: text.trim(),
    })
  if (others.length === 0) return match
  return t('{others} locations are named “{text}”. Type the full path, such as “{path}”.', {
    others: others.length + 1,
    text: text.trim(),
    path: match.path,
  })
}
