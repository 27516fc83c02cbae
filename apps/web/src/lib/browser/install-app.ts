import { useSyncExternalStore } from 'react'
import { logWarning } from './log.ts'
import { whenIdle } from './when-idle.ts'

/** The browser's offer to install the app. Some browsers have none. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>
}

let offer: InstallOffer | null = null
const listeners = new Set<() => void>()

function setOffer(next: InstallOffer | null): void {
  offer = next
  for (const listener of listeners) listener()
}

/** Registers the script that shows the offline page, and keeps the browser's offer to install the app. */
export function followInstallation(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // Our menu makes the offer, so that no browser bar covers the page.
    event.preventDefault()
    setOffer(event as InstallOffer)
  })
  addEventListener('appinstalled', () => setOffer(null))
  // The development server has no built offline page, and browsers allow the script only over HTTPS.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  whenIdle(() => {
    navigator.serviceWorker
      .register('/sw.js')
      .catch((error: unknown) => logWarning('The offline page is not available', error))
  })
}

/** Returns a function that installs the app; null if the browser does not offer it, or if it is installed. */
export function useInstall(): (() => void) | null {
  const known = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offer,
  )
  if (!known) return null
  return () => {
    setOffer(null)
    void known.prompt()
  }
}
