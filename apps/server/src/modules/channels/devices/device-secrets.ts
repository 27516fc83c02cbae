import { createHash } from 'node:crypto'
import type { RootSecret } from '../../../platform/root-secret.ts'
import type { PushSubscription } from './push-request.ts'

/**
 * Encrypts and decrypts the addresses of devices. A text that was encrypted for one device cannot be decrypted for
 * another.
 */
export interface DeviceSecrets {
  seal(deviceId: string, subscription: PushSubscription): string
  open(deviceId: string, sealed: string): PushSubscription
}

export const createDeviceSecrets = (root: RootSecret): DeviceSecrets => ({
  seal: (id, subscription) => root.seal(`push-devices/${id}`, JSON.stringify(subscription)),
  open: (id, sealed) =>
    JSON.parse(root.open(`push-devices/${id}`, sealed).toString('utf8')) as PushSubscription,
})

/**
 * Returns the hash of a device's address. The server finds the device by this hash, because the address itself is
 * encrypted.
 */
export const endpointHashOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('base64url')
