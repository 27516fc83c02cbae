import { createHmac, hash, randomBytes } from 'node:crypto'
import { stringify, parse as uuidBytes, validate as isUuid } from 'uuid'
import { type Clock, addMs } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { CEREMONY_MS } from '../webauthn/ceremonies.ts'

export interface PasskeyChallenge {
  id: string
  expiresAt: Date
}

/** What a challenge may be answered for: a sign-in, or a passkey of one session. */
export type PasskeyPurpose = 'sign-in' | `registration/${string}`

/**
 * Challenges whose ids say when they were made, and are signed. No table holds those that nobody answers, so that thousands of them
 * cost nothing and push nobody else's out.
 */
export interface PasskeyChallenges {
  make(purpose: PasskeyPurpose): PasskeyChallenge
  /** Throws PASSKEY_CHALLENGE_NOT_FOUND for an id that was not made for the purpose, or PASSKEY_CHALLENGE_EXPIRED. */
  read(purpose: PasskeyPurpose, id: string): PasskeyChallenge
}

const TIME_BYTES = 6
const TAG_OFFSET = 10

/** The key under which an answered challenge is remembered until it expires. */
export const answeredKey = ({ id }: PasskeyChallenge): string => hash('sha256', `passkey\n${id}`, 'base64url')

export function createPasskeyChallenges(deps: { clock: Clock; key: Buffer }): PasskeyChallenges {
  const { clock, key } = deps

  /** The last six bytes of an id. They tell made ids from invented ones; what a device signs is longer. */
  const tagOf = (purpose: PasskeyPurpose, bytes: Uint8Array): Buffer =>
    createHmac('sha256', key)
      .update(purpose)
      .update('\0')
      .update(bytes.subarray(0, TAG_OFFSET))
      .digest()
      .subarray(0, 16 - TAG_OFFSET)

  const expiryOf = (madeAtMs: number): Date => addMs(new Date(madeAtMs), CEREMONY_MS)

  return {
    make(purpose) {
      const bytes = randomBytes(16)
      const madeAtMs = clock.now().getTime()
      bytes.writeUIntBE(madeAtMs, 0, TIME_BYTES)
      // Version 8 of a UUID: of our own making.
      bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6)
      bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
      tagOf(purpose, bytes).copy(bytes, TAG_OFFSET)
      return { id: stringify(bytes), expiresAt: expiryOf(madeAtMs) }
    },

    read(purpose, given) {
      if (!isUuid(given)) throw new AppError('PASSKEY_CHALLENGE_NOT_FOUND')
      // One spelling for each id, so that a used one is recognised.
      const id = given.toLowerCase()
      const bytes = Buffer.from(uuidBytes(id))
      if (!tagOf(purpose, bytes).equals(bytes.subarray(TAG_OFFSET)))
        throw new AppError('PASSKEY_CHALLENGE_NOT_FOUND')
      const expiresAt = expiryOf(bytes.readUIntBE(0, TIME_BYTES))
      if (expiresAt <= clock.now()) throw new AppError('PASSKEY_CHALLENGE_EXPIRED')
      return { id, expiresAt }
    },
  }
}
