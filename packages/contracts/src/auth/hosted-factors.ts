import * as z from 'zod/mini'
import { idParams } from '../fields.ts'
import { defineEndpoint } from '../endpoint.ts'
import { hostedSession } from './hosted-auth.ts'

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

export const hostedEnrollFactor = defineEndpoint({
  method: 'POST',
  path: '/auth/v1/factors',
  summary:
    'Begin to enrol an authenticator app; it counts once a code of it is verified, within five minutes',
  tag: 'hosted auth',
  access: 'signed-in',
  needsRecentSignIn: true,
  dialect: 'hosted-auth',
  body: mayBeLeftOut(
    z.object({ factor_type: text(50), friendly_name: label, issuer: label, phone: text(50) }),
  ),
  success: {
    status: 200,
    body: z.object({
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
  },
  errors: [
    'UNAUTHENTICATED',
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'SECOND_FACTOR_REQUIRED',
    'REAUTHENTICATION_REQUIRED',
    'PHONE_FACTORS_DISABLED',
    'WEBAUTHN_FACTORS_DISABLED',
    'REQUEST_INCOMPLETE',
    'FACTOR_NAME_TAKEN',
    'TOO_MANY_FACTORS',
    'INVALID_INPUT',
  ],
})

export const hostedChallengeFactor = defineEndpoint({
  method: 'POST',
  path: '/auth/v1/factors/:id/challenge',
  summary: 'Ask for a code of a factor; the answer is good for five minutes, once, from the same address',
  tag: 'hosted auth',
  access: 'signed-in',
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  dialect: 'hosted-auth',
  params: idParams,
  success: {
    status: 200,
    body: z.object({
      id: z.uuid(),
      type: z.literal('totp'),
      /** Unix time in seconds. */
      expires_at: z.number(),
    }),
  },
  errors: ['UNAUTHENTICATED', 'BAD_JWT', 'SESSION_NOT_FOUND', 'FACTOR_NOT_FOUND'],
})

export const hostedVerifyFactor = defineEndpoint({
  method: 'POST',
  path: '/auth/v1/factors/:id/verify',
  summary:
    "Prove a factor: the session becomes aal2, with new tokens; the account's other sessions below that end",
  tag: 'hosted auth',
  access: 'signed-in',
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  dialect: 'hosted-auth',
  params: idParams,
  body: mayBeLeftOut(z.object({ challenge_id: text(100), code: text(100) })),
  success: { status: 200, body: hostedSession },
  errors: [
    'UNAUTHENTICATED',
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'FACTOR_NOT_FOUND',
    'CHALLENGE_NOT_FOUND',
    'CHALLENGE_EXPIRED',
    'CHALLENGE_USED_OR_ELSEWHERE',
    'FACTOR_CODE_WRONG',
    'TOO_MANY_CODES',
    'REQUEST_INCOMPLETE',
    'INVALID_INPUT',
  ],
})

export const hostedRemoveFactor = defineEndpoint({
  method: 'DELETE',
  path: '/auth/v1/factors/:id',
  summary:
    'Remove a factor; sessions that it raised fall back to aal1, and with the last one its recovery codes go',
  tag: 'hosted auth',
  access: 'signed-in',
  needsRecentSignIn: true,
  refusalBeforeSecondFactor: 'SECOND_FACTOR_REQUIRED_TO_REMOVE',
  dialect: 'hosted-auth',
  params: idParams,
  success: { status: 200, body: z.object({ id: z.uuid() }) },
  errors: [
    'UNAUTHENTICATED',
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'SECOND_FACTOR_REQUIRED_TO_REMOVE',
    'REAUTHENTICATION_REQUIRED',
    'FACTOR_NOT_FOUND',
  ],
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

export const hostedGetRecoveryCodes = defineEndpoint({
  method: 'GET',
  path: '/auth/v1/factors/recovery-codes',
  summary: 'How many recovery codes there are and how many are left; never the codes',
  tag: 'hosted auth',
  access: 'signed-in',
  dialect: 'hosted-auth',
  success: {
    status: 200,
    body: z.object({
      id: z.uuid(),
      type: z.literal('recovery_code'),
      total: z.number(),
      remaining: z.number(),
    }),
  },
  errors: [
    'UNAUTHENTICATED',
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'SECOND_FACTOR_REQUIRED',
    'RECOVERY_CODES_NOT_FOUND',
  ],
})

export const hostedCreateRecoveryCodes = defineEndpoint({
  method: 'POST',
  path: '/auth/v1/factors/recovery-codes',
  summary: 'Make the recovery codes of an account that has a verified factor; they are shown this once',
  tag: 'hosted auth',
  access: 'signed-in',
  needsRecentSignIn: true,
  dialect: 'hosted-auth',
  body: mayBeLeftOut(z.object({ friendly_name: label })),
  success: { status: 200, body: newRecoveryCodes },
  errors: [
    'UNAUTHENTICATED',
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'SECOND_FACTOR_REQUIRED',
    'REAUTHENTICATION_REQUIRED',
    'RECOVERY_CODES_EXIST',
    'RECOVERY_CODES_ALONE',
    'FACTOR_NAME_TAKEN',
    'INVALID_INPUT',
  ],
})

export const hostedReplaceRecoveryCodes = defineEndpoint({
  method: 'POST',
  path: '/auth/v1/factors/recovery-codes/regenerate',
  summary: 'Replace all recovery codes by new ones, shown this once; the old ones are void',
  tag: 'hosted auth',
  access: 'signed-in',
  needsRecentSignIn: true,
  dialect: 'hosted-auth',
  success: { status: 200, body: newRecoveryCodes },
  errors: [
    'UNAUTHENTICATED',
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'SECOND_FACTOR_REQUIRED',
    'REAUTHENTICATION_REQUIRED',
    'RECOVERY_CODES_NOT_FOUND',
  ],
})

export const hostedVerifyRecoveryCode = defineEndpoint({
  method: 'POST',
  path: '/auth/v1/factors/recovery-codes/verify',
  summary:
    'Use up one recovery code as the second step of a sign-in: the session becomes aal2, with new tokens',
  tag: 'hosted auth',
  access: 'signed-in',
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  dialect: 'hosted-auth',
  /** As its owner typed it: case, spaces and hyphens do not count. */
  body: mayBeLeftOut(z.object({ code: text(100) })),
  success: {
    status: 200,
    /** How many codes are left is told beside the session. */
    body: z.extend(hostedSession, { recovery_codes_remaining: z.number() }),
  },
  errors: [
    'UNAUTHENTICATED',
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'RECOVERY_CODE_WRONG',
    'RECOVERY_CODES_LOCKED',
    'REQUEST_INCOMPLETE',
    'INVALID_INPUT',
  ],
})

export const hostedRemoveRecoveryCodes = defineEndpoint({
  method: 'DELETE',
  path: '/auth/v1/factors/recovery-codes',
  summary: 'Remove the recovery codes; sessions that one of them raised fall back to aal1',
  tag: 'hosted auth',
  access: 'signed-in',
  needsRecentSignIn: true,
  dialect: 'hosted-auth',
  success: { status: 200, body: z.object({ id: z.uuid() }) },
  errors: [
    'UNAUTHENTICATED',
    'BAD_JWT',
    'SESSION_NOT_FOUND',
    'SECOND_FACTOR_REQUIRED',
    'REAUTHENTICATION_REQUIRED',
    'RECOVERY_CODES_NOT_FOUND',
  ],
})
