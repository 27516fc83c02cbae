import { addPushDevice, getPushKey, type PushDevice } from '@pegasus/contracts/channels/push-devices'
import { callApi } from '../http/api.ts'
import { PUSH_OWNER_KEY } from './push-owner.ts'

/** Why this browser cannot show notifications. */
export type PushObstacle = 'no-https' | 'needs-install' | 'no-push' | 'denied'

const isApplePhone = (): boolean =>
  /\b(iPhone|iPad)\b/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

/**
 * Returns why this browser cannot show notifications; null if it can, or if it has not been asked for permission yet.
 */
export function pushObstacle(): PushObstacle | null {
  if (!isSecureContext) return 'no-https'
  const hasPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  // Safari on a phone has notifications only in an app on the home screen.
  if (!hasPush) return isApplePhone() ? 'needs-install' : 'no-push'
  return Notification.permission === 'denied' ? 'denied' : null
}

/** The browser did not allow notifications, or has no connection to its push service. */
export class PushRefusedError extends Error {
  override name = 'PushRefusedError'
  readonly reason: 'denied' | 'dismissed' | 'no-service'
  constructor(reason: 'denied' | 'dismissed' | 'no-service', cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

/**
 * Asks for permission, subscribes this browser, and sends its address to the server. Call it after a click. Throws
 * PushRefusedError or ApiError.
 */
export async function turnOnPush(accountId: string): Promise<PushDevice> {
  const permission = await Notification.requestPermission()
  if (permission === 'denied') throw new PushRefusedError('denied')
  if (permission !== 'granted') throw new PushRefusedError('dismissed')
  const { public_key: publicKey } = await callApi(getPushKey)
  const registration = await navigator.serviceWorker.register('/sw.js')
  await navigator.serviceWorker.ready
  const subscription = await subscribe(registration.pushManager, publicKey).catch((cause: unknown) => {
    throw new PushRefusedError('no-service', cause)
  })
  localStorage.setItem(PUSH_OWNER_KEY, accountId)
  return sendAddress(subscription)
}

async function subscribe(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const old = await manager.getSubscription()
  const key = bytesOf(publicKey)
  const oldKey = old?.options.applicationServerKey
  // An installation that was set up again has another key, for which the old subscription does not work.
  if (old && !(oldKey && isSame(new Uint8Array(oldKey), key))) await old.unsubscribe()
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    atob(base64url.replaceAll('-', '+').replaceAll('_', '/')),
    (letter) => letter.codePointAt(0) ?? 0,
  )

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

async function sendAddress(subscription: PushSubscription): Promise<PushDevice> {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  return callApi(addPushDevice, { body: { endpoint, keys: { p256dh, auth } } })
}

/** Sends the address of this browser again, if it has subscribed. */
export async function renewPush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (subscription) await sendAddress(subscription)
}
