import { queryOptions } from '@tanstack/react-query'

const CHECK_MS = 10 * 60_000
const PATIENCE_MS = 10_000

/** The script of this page. Its name contains a hash of itself and of everything it can load. */
const ownScript = (): string | null =>
  document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null

/** Whether the server has another version of the app than this page. Throws if it does not answer. */
export async function hasNewVersion(): Promise<boolean> {
  const own = ownScript()
  const response = await fetch('/', {
    cache: 'no-store',
    headers: { Accept: 'text/html' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  if (!response.ok) throw new Error(`The page was answered with ${response.status}.`)
  return own !== null && !(await response.text()).includes(own)
}

/** Checked again with all other queries: after an outage, and at each change of page. */
export const newVersionQuery = queryOptions({
  queryKey: ['app-version'],
  queryFn: hasNewVersion,
  // A page that has just loaded has the current version.
  initialData: false,
  staleTime: Infinity,
  refetchInterval: CHECK_MS,
  retry: false,
})
