import { useEffect, useState } from 'react'

const LONGEST_WAIT_MS = 5000
/** Waiting time, in ms, in browsers without idle callbacks. */
const FALLBACK_WAIT_MS = 500

/** Runs work that the first view does not need. It starts when the page is loaded and the browser is idle. */
export function whenIdle(work: () => void): void {
  const wait = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => work(), { timeout: LONGEST_WAIT_MS })
    else setTimeout(work, FALLBACK_WAIT_MS)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}

/** Returns false until the page is loaded and the browser is idle. */
export function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => setIsIdle(true)), [])
  return isIdle
}
