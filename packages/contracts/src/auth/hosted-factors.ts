import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { hostedSession } from './hosted-auth.ts'

const { get, post, del } = declareEndpoints('hosted auth', 'hosted-auth')

/**
 * Two-factor sign-in in the hosted auth service's protocol: `mfa` of its official client. A factor is enrolled, then
 * challenged, then verified with the challenge's id and a code; verifying makes the session an `aal2` one. Recovery
 * codes are a factor of their own type that needs no challenge.
 */

/** What an account may have of factors, the unverified included. */
export const MAX_FACTORS = 10
export const RECOVERY_CODE_COUNT = 10

const text = (maxLength: number) => z.optional(z.nullable(z.string().check(z.maxLength(maxLength))))

/** Clients leave a body out where they have nothing to say. */
const mayBeLeftOut = <S extends z.ZodMiniType>(body: S) => z.optional(z.nullable(body))

/** Seen in authenticator apps and in lists of factors: no line breaks or other control characters. */
const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u
const label = z.optional(
  z.nullable(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(100, 'The name is too long'),
        z.regex(NO_CONTROL_CHARACTERS, 'The name holds control characters'),
      ),
  ),
)

export const hostedEnrollFactor = post('/auth/v1/factors', 'signed-in', {
  summary:
    'Begin to enrol an authenticator app; it counts once a code of it is verified, within five minutes',
  needsRecentSignIn: true,
  body: mayBeLeftOut(
    z.object({ factor_type: text(50), friendly_name: label, issuer: label, phone: text(50) }),
  ),
  returns: z.object({
    id: z.uuid(),
    type: z.literal('totp'),
    friendly_name: z.string(),
    totp: z.object({
      /** An SVG picture, as text, that stands as it is in a `data:` address. */
      qr_code: z.string(),
      /** Base32, for those who cannot scan. */
      secret: z.string(),
      /** otpauth://totp/… */
      uri: z.string(),
    }),
  }),
  errors: [
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'SECOND_FACTOR_REQUIRED',
    'PHONE_FACTORS_DISABLED',
    'WEBAUTHN_FACTORS_DISABLED',
    'REQUEST_INCOMPLETE',
    'FACTOR_NAME_TAKEN',
    'TOO_MANY_FACTORS',
  ],
})

export const hostedChallengeFactor = post('/auth/v1/factors/:id/challenge', 'signed-in', {
  summary: 'Ask for a code of a factor; the answer is good for five minutes, once, from the same address',
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  returns: z.object({
    id: z.uuid(),
    type: z.literal('totp'),
    /** Unix time in seconds. */
    expires_at: z.number(),
  }),
  errors: ['BAD_JWT', 'SESSION_NOT_FOUND', 'FACTOR_NOT_FOUND'],
})

export const hostedVerifyFactor = post('/auth/v1/factors/:id/verify', 'signed-in', {
  summary:
    "Prove a factor: the session becomes aal2, with new tokens; the account's other sessions below that end",
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  body: mayBeLeftOut(z.object({ challenge_id: text(100), code: text(100) })),
  returns: hostedSession,
  errors: [
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'FACTOR_NOT_FOUND',
    'CHALLENGE_NOT_FOUND',
    'CHALLENGE_EXPIRED',
    'CHALLENGE_USED_OR_ELSEWHERE',
    'FACTOR_CODE_WRONG',
    'TOO_MANY_CODES',
    'REQUEST_INCOMPLETE',
  ],
})

export const hostedRemoveFactor = del('/auth/v1/factors/:id', 'signed-in', {
  summary:
    'Remove a factor; sessions that it raised fall back to aal1, and with the last one its recovery codes go',
  needsRecentSignIn: true,
  refusalBeforeSecondFactor: 'SECOND_FACTOR_REQUIRED_TO_REMOVE',
  returns: z.object({ id: z.uuid() }),
  errors: ['BAD_JWT', 'SESSION_NOT_FOUND', 'SECOND_FACTOR_REQUIRED_TO_REMOVE', 'FACTOR_NOT_FOUND'],
})

/** A set of codes as it was made: the only answer that ever holds them. */
const newRecoveryCodes = z.object({
  /** Of the factor that the codes are. */
  id: z.uuid(),
  type: z.literal('recovery_code'),
  friendly_name: z.string(),
  total: z.number(),
  codes: z.array(z.string()),
})

export const hostedGetRecoveryCodes = get('/auth/v1/factors/recovery-codes', 'signed-in', {
  summary: 'How many recovery codes there are and how many are left; never the codes',
  returns: z.object({
    id: z.uuid(),
    type: z.literal('recovery_code'),
    total: z.number(),
    remaining: z.number(),
  }),
  errors: ['BAD_JWT', 'SESSION_NOT_FOUND', 'SECOND_FACTOR_REQUIRED', 'RECOVERY_CODES_NOT_FOUND'],
})

export const hostedCreateRecoveryCodes = post('/auth/v1/factors/recovery-codes', 'signed-in', {
  summary: 'Make the recovery codes of an account that has a verified factor; they are shown this once',
  needsRecentSignIn: true,
  body: mayBeLeftOut(z.object({ friendly_name: label })),
  returns: newRecoveryCodes,
  errors: [
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'SECOND_FACTOR_REQUIRED',
    'RECOVERY_CODES_EXIST',
    'RECOVERY_CODES_ALONE',
    'FACTOR_NAME_TAKEN',
  ],
})

export const hostedReplaceRecoveryCodes = post('/auth/v1/factors/recovery-codes/regenerate', 'signed-in', {
  summary: 'Replace all recovery codes by new ones, shown this once; the old ones are void',
  needsRecentSignIn: true,
  returns: newRecoveryCodes,
  errors: ['BAD_JWT', 'SESSION_NOT_FOUND', 'SECOND_FACTOR_REQUIRED', 'RECOVERY_CODES_NOT_FOUND'],
})

export const hostedVerifyRecoveryCode = post('/auth/v1/factors/recovery-codes/verify', 'signed-in', {
  summary:
    'Use up one recovery code as the second step of a sign-in: the session becomes aal2, with new tokens',
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  /** As its owner typed it: case, spaces and hyphens do not count. */
  body: mayBeLeftOut(z.object({ code: text(100) })),
  returns: z.extend(hostedSession, { recovery_codes_remaining: z.number() }),
  errors: [
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'RECOVERY_CODE_WRONG',
    'RECOVERY_CODES_LOCKED',
    'REQUEST_INCOMPLETE',
  ],
})

export const hostedRemoveRecoveryCodes = del('/auth/v1/factors/recovery-codes', 'signed-in', {
  summary: 'Remove the recovery codes; sessions that one of them raised fall back to aal1',
  needsRecentSignIn: true,
  returns: z.object({ id: z.uuid() }),
  errors: ['BAD_JWT', 'SESSION_NOT_FOUND', 'SECOND_FACTOR_REQUIRED', 'RECOVERY_CODES_NOT_FOUND'],
})
