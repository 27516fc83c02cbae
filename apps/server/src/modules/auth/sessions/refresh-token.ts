import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse as parseUuid, stringify as stringifyUuid } from 'uuid'
import { AppError } from '../../../platform/errors/app-error.ts'

const SESSION_BYTES = 16
const COUNTER_BYTES = 4
const MAC_BYTES = 32
const TOKEN_BYTES = SESSION_BYTES + COUNTER_BYTES + MAC_BYTES
const SHAPE = /^[A-Za-z0-9_-]{12,200}$/

/**
 * Creates and reads refresh tokens. A token consists of the id of its session, a counter, and a code of 256 bits that
 * is computed with the root secret. The server can compute the code again. So the database stores no tokens, and a
 * client that lost a response can get the current token again.
 */
export interface RefreshTokens {
  issue(sessionId: string, counter: number): string
  /**
   * Parses a token. Throws REFRESH_TOKEN_MALFORMED for a string in another format, and
   * REFRESH_TOKEN_NOT_FOUND for a forged token.
   */
  read(token: string): { sessionId: string; counter: number }
}

export function createRefreshTokens(key: Buffer): RefreshTokens {
  const macOf = (head: Buffer): Buffer => createHmac('sha256', key).update(head).digest()
  return {
    issue(sessionId, counter) {
      const head = Buffer.alloc(SESSION_BYTES + COUNTER_BYTES)
      head.set(parseUuid(sessionId))
      head.writeUInt32BE(counter, SESSION_BYTES)
      return Buffer.concat([head, macOf(head)]).toString('base64url')
    },
    read(token) {
      if (!SHAPE.test(token)) throw new AppError('REFRESH_TOKEN_MALFORMED')
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== TOKEN_BYTES) throw new AppError('REFRESH_TOKEN_NOT_FOUND')
      const head = bytes.subarray(0, SESSION_BYTES + COUNTER_BYTES)
      if (!timingSafeEqual(bytes.subarray(SESSION_BYTES + COUNTER_BYTES), macOf(head)))
        throw new AppError('REFRESH_TOKEN_NOT_FOUND')
      return {
        sessionId: stringifyUuid(head.subarray(0, SESSION_BYTES)),
        counter: head.readUInt32BE(SESSION_BYTES),
      }
    },
  }
}
