import { queryOptions } from '@tanstack/react-query'

const CHECK_MS = 10 * 60_000
const PATIENCE_MS = 10_000

/** Returns the URL of this page's script. Its name contains a hash of the script and of everything that it can load. */
const ownScript = (): string | null =>
  document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null

/**
 * Returns whether the server's version of the app differs from this page's version. Throws if the server does not
 * respond.
 */
export async function hasNewVersion(): Promise<boolean> {
  const own = ownScript()
  const response = await fetch('/', {
    cache: 'no-store',
    headers: { Accept: 'text/html' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  if (!response.ok) throw new Error(`The server responded to the page with ${response.status}.`)
  return own !== null && !(await response.text()).includes(own)
}

/**
 * Tells whether there is a new version. It is checked at intervals, and also whenever all queries are invalidated:
 * after an outage, and when the page changes.
 */
export const newVersionQuery = queryOptions({
  queryKey: ['app-version'],
  queryFn: hasNewVersion,
  // A page that has just loaded has the current version.
  initialData: false,
  staleTime: Infinity,
  refetchInterval: CHECK_MS,
  retry: false,
})
