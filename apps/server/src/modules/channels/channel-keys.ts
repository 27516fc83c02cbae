import { randomBytes } from 'node:crypto'
import type { RootSecret } from '../../platform/root-secret.ts'

const PREFIX = 'whsec_'
const KEY_BYTES = 32

/**
 * Encrypts and decrypts the addresses and keys of channels. A text that was encrypted for one channel cannot be
 * decrypted for another.
 */
export interface ChannelSecrets {
  seal(channelId: string, text: string): string
  open(channelId: string, sealed: string): string
}

export const createChannelSecrets = (root: RootSecret): ChannelSecrets => ({
  seal: (channelId, text) => root.seal(`channels/${channelId}`, text),
  open: (channelId, sealed) => root.open(`channels/${channelId}`, sealed).toString('utf8'),
})

/** Creates a signing key in the format of Standard Webhooks. */
export const makeSigningKey = (): string => `${PREFIX}${randomBytes(KEY_BYTES).toString('base64')}`

/** Returns the bytes of a signing key. */
export const bytesOfKey = (key: string): Buffer => Buffer.from(key.slice(PREFIX.length), 'base64')
