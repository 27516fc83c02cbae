import { logWarning } from '../browser/log.ts'
import { whenIdle } from '../browser/when-idle.ts'

// The notifications of this browser belong to one session of one account. When the session ends, the server deletes
// the device, and this browser unsubscribes.

/** The localStorage key of the account that gets notifications in this browser. */
export const PUSH_OWNER_KEY = 'pegasus-ops-push-owner'

let hasRenewed = false

/**
 * Called with the account that uses this browser; null after a sign-out. Turns notifications off unless this is the
 * account that turned them on. Otherwise, at each start, sends the browser's push address again, because browsers
 * change it from time to time.
 */
export function followPushOwner(accountId: string | null): void {
  const owner = localStorage.getItem(PUSH_OWNER_KEY)
  if (owner === null) return
  if (owner !== accountId)
    turnOffPush().catch((error: unknown) => logWarning('This browser could not unsubscribe.', error))
  else if (!hasRenewed) {
    hasRenewed = true
    whenIdle(() => {
      renew().catch((error: unknown) => logWarning('The address of this browser was not sent.', error))
    })
  }
}

/** Loads the code on demand, so that the app starts faster. */
const renew = async (): Promise<void> => (await import('./push-device.ts')).renewPush()

/** Unsubscribes this browser and removes the notifications that it shows. */
export async function turnOffPush(): Promise<void> {
  const registration =
    'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
  localStorage.removeItem(PUSH_OWNER_KEY)
}
