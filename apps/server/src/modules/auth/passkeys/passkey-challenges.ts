import { createHmac, hash, randomBytes } from 'node:crypto'
import { stringify, parse as uuidBytes, validate as isUuid } from 'uuid'
import { type Clock, addMs } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { CEREMONY_MS } from '../webauthn/ceremonies.ts'

export interface PasskeyChallenge {
  id: string
  expiresAt: Date
}

/** The purpose of a challenge: a sign-in, or the registration of a passkey in one particular session. */
export type PasskeyPurpose = 'sign-in' | `registration/${string}`

/**
 * Creates and reads challenges. The id of a challenge contains the time of its creation and a signature, so no table
 * stores challenges. Thousands of unanswered challenges therefore need no storage, and cannot displace other people's
 * challenges.
 */
export interface PasskeyChallenges {
  make(purpose: PasskeyPurpose): PasskeyChallenge
  /**
   * Reads a challenge. Throws PASSKEY_CHALLENGE_NOT_FOUND if the id was not created for this purpose, or
   * PASSKEY_CHALLENGE_EXPIRED.
   */
  read(purpose: PasskeyPurpose, id: string): PasskeyChallenge
}

const TIME_BYTES = 6
const TAG_OFFSET = 10

/** Returns the key under which an answered challenge is stored until it expires, so that nobody can use it again. */
export const answeredKey = ({ id }: PasskeyChallenge): string => hash('sha256', `passkey\n${id}`, 'base64url')

export function createPasskeyChallenges(deps: { clock: Clock; key: Buffer }): PasskeyChallenges {
  const { clock, key } = deps

  /**
   * Returns the signature of an id, its last six bytes, which proves that the server created the id. Six bytes are
   * enough, because a device signs a longer text that is derived from the id.
   */
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
      // The version 8 of a UUID stands for a custom format.
      bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6)
      bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
      tagOf(purpose, bytes).copy(bytes, TAG_OFFSET)
      return { id: stringify(bytes), expiresAt: expiryOf(madeAtMs) }
    },

    read(purpose, given) {
      if (!isUuid(given)) throw new AppError('PASSKEY_CHALLENGE_NOT_FOUND')
      // Convert the id to one spelling, so that a used id is recognized in any spelling.
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
