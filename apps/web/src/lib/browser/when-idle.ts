import { useEffect, useState } from 'react'

const LONGEST_WAIT_MS = 5000
/** For browsers without idle callbacks. */
const FALLBACK_WAIT_MS = 500

/** Runs work that the first view does not need, once the page is loaded and the browser has nothing else to do. */
export function whenIdle(work: () => void): void {
  const wait = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => work(), { timeout: LONGEST_WAIT_MS })
    else setTimeout(work, FALLBACK_WAIT_MS)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}

/** False until the first view is complete and the browser has nothing else to do. */
export function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => setIsIdle(true)), [])
  return isIdle
}
