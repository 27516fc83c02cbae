import { createHash } from 'node:crypto'
import type { RootSecret } from '../../../platform/root-secret.ts'
import type { PushSubscription } from './push-request.ts'

/** Encrypts and decrypts the addresses of devices. A sealed text cannot be opened for another device. */
export interface DeviceSecrets {
  seal(deviceId: string, subscription: PushSubscription): string
  open(deviceId: string, sealed: string): PushSubscription
}

export const createDeviceSecrets = (root: RootSecret): DeviceSecrets => ({
  seal: (id, subscription) => root.seal(`push-devices/${id}`, JSON.stringify(subscription)),
  open: (id, sealed) =>
    JSON.parse(root.open(`push-devices/${id}`, sealed).toString('utf8')) as PushSubscription,
})

/** Returns the value by which a device is found without decrypting its address. */
export const endpointHashOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('base64url')
