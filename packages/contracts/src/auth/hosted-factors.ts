import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { hostedSession } from './hosted-auth.ts'
import { creationOptions, credentialAnswer, requestOptions } from './webauthn.ts'

const { get, post, del } = declareEndpoints('hosted auth', {
  dialect: 'hosted-auth',
  notFound: 'FACTOR_NOT_FOUND',
})

/**
 * Two-factor sign-in in the hosted auth service's protocol (`mfa` of the official client). A factor is
 * enrolled, challenged, and verified with the id of the challenge and either a code or the signature of a
 * security key. Verifying raises the session to `aal2`. Recovery codes are a separate type of factor that
 * needs no challenge.
 */

/** Maximum number of factors of one account, including unverified ones. */
export const MAX_FACTORS = 10
export const RECOVERY_CODE_COUNT = 10

const text = (maxLength: number) => z.optional(z.nullable(z.string().check(z.maxLength(maxLength))))

/** Clients may omit an empty body. */
const optionalBody = <S extends z.ZodMiniType>(body: S) => z.optional(z.nullable(body))

/**
 * Matches texts without control characters. Authenticator apps and lists show the name, so line breaks and
 * other control characters are refused.
 */
const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u
const label = z.optional(
  z.nullable(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(100, 'The name is too long'),
        z.regex(NO_CONTROL_CHARACTERS, 'The name contains control characters'),
      ),
  ),
)

const enrolledApp = z.object({
  id: z.uuid(),
  type: z.literal('totp'),
  friendly_name: z.string(),
  totp: z.object({
    /** An SVG picture as text, ready for a `data:` address. */
    qr_code: z.string(),
    /** The secret in base32, for people who cannot scan the code. */
    secret: z.string(),
    /** An address of the form otpauth://totp/… */
    uri: z.string(),
  }),
})
const enrolledPhone = z.object({
  id: z.uuid(),
  type: z.literal('phone'),
  friendly_name: z.string(),
  /** The digits of the phone number. The first challenge sends it a code. */
  phone: z.string(),
})
const enrolledKey = z.object({ id: z.uuid(), type: z.literal('webauthn'), friendly_name: z.string() })

export const hostedEnrollFactor = post('/auth/v1/factors', 'signed-in', {
  summary:
    'Enroll an authenticator app, a security key or a phone; it becomes active if a code verifies it within five minutes',
  worksBeforeFactorSetup: true,
  needsRecentSignIn: true,
  body: optionalBody(
    z.object({ factor_type: text(50), friendly_name: label, issuer: label, phone: text(50) }),
  ),
  returns: z.union([enrolledApp, enrolledKey, enrolledPhone]),
  errors: [
    'SECOND_FACTOR_REQUIRED',
    'PHONE_FACTORS_DISABLED',
    'PHONE_FACTOR_EXISTS',
    'PHONE_SIGNS_IN',
    'PHONE_INVALID',
    'WEBAUTHN_FACTORS_DISABLED',
    'REQUEST_INCOMPLETE',
    'FACTOR_NAME_TAKEN',
    'TOO_MANY_FACTORS',
  ],
})

/** The site for which a client requests a key. Any site other than ours is refused. */
const relyingParty = {
  rpId: text(253),
  rpOrigins: z.optional(z.nullable(z.array(z.string().check(z.maxLength(300))).check(z.maxLength(10)))),
}

const unixSeconds = z.number()

export const hostedChallengeFactor = post('/auth/v1/factors/:id/challenge', 'signed-in', {
  summary:
    'Start a challenge for a factor, and send its code to a phone; it is valid once, for five minutes, from the same IP address',
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  worksBeforeFactorSetup: true,
  body: optionalBody(
    z.object({
      /** How the code is sent to a phone. The only value is `sms`. */
      channel: text(50),
      webauthn: optionalBody(z.object(relyingParty)),
    }),
  ),
  returns: z.union([
    z.object({ id: z.uuid(), type: z.enum(['totp', 'phone']), expires_at: unixSeconds }),
    z.object({
      id: z.uuid(),
      type: z.literal('webauthn'),
      expires_at: unixSeconds,
      /**
       * Options for the browser's WebAuthn call. `create` registers an unverified key, and `request` lets a
       * verified key sign.
       */
      webauthn: z.union([
        z.object({
          type: z.literal('create'),
          credential_options: z.object({ publicKey: creationOptions }),
        }),
        z.object({
          type: z.literal('request'),
          credential_options: z.object({ publicKey: requestOptions }),
        }),
      ]),
    }),
  ]),
  errors: [
    'WEBAUTHN_FACTORS_DISABLED',
    'PHONE_VERIFICATION_DISABLED',
    'TOO_MANY_SMS',
    'REQUEST_INCOMPLETE',
    // Sent only for a security key that is not verified yet.
    'SECOND_FACTOR_REQUIRED',
    'REAUTHENTICATION_REQUIRED',
  ],
})

export const hostedVerifyFactor = post('/auth/v1/factors/:id/verify', 'signed-in', {
  summary: 'Verify a factor: the session becomes aal2 with new tokens, and other sessions below aal2 end',
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  worksBeforeFactorSetup: true,
  body: optionalBody(
    z.object({
      challenge_id: text(100),
      code: text(100),
      webauthn: optionalBody(
        z.object({
          ...relyingParty,
          type: z.enum(['create', 'request']),
          credential_response: credentialAnswer,
        }),
      ),
    }),
  ),
  returns: hostedSession,
  errors: [
    'CHALLENGE_NOT_FOUND',
    'CHALLENGE_EXPIRED',
    'CHALLENGE_USED_OR_ELSEWHERE',
    'FACTOR_CODE_WRONG',
    'PHONE_CODE_WRONG',
    'PHONE_VERIFICATION_DISABLED',
    'FACTOR_KEY_WRONG',
    'WEBAUTHN_CREDENTIAL_EXISTS',
    'WEBAUTHN_FACTORS_DISABLED',
    'TOO_MANY_CODES',
    'REQUEST_INCOMPLETE',
    // Sent only for a security key that is not verified yet.
    'SECOND_FACTOR_REQUIRED',
    'REAUTHENTICATION_REQUIRED',
  ],
})

export const hostedRemoveFactor = del('/auth/v1/factors/:id', 'signed-in', {
  summary:
    'Remove a factor; its sessions fall back to aal1, and removing the last factor removes the recovery codes',
  worksBeforeFactorSetup: true,
  needsRecentSignIn: true,
  refusalBeforeSecondFactor: 'SECOND_FACTOR_REQUIRED_TO_REMOVE',
  returns: z.object({ id: z.uuid() }),
  errors: ['SECOND_FACTOR_REQUIRED_TO_REMOVE'],
})

/** A new set of recovery codes. Only this response contains them. */
const newRecoveryCodes = z.object({
  /** The id of the recovery code factor. */
  id: z.uuid(),
  type: z.literal('recovery_code'),
  friendly_name: z.string(),
  total: z.number(),
  codes: z.array(z.string()),
})

export const hostedGetRecoveryCodes = get('/auth/v1/factors/recovery-codes', 'signed-in', {
  summary: 'Total number of recovery codes, and number of unused codes; never the codes',
  returns: z.object({
    id: z.uuid(),
    type: z.literal('recovery_code'),
    total: z.number(),
    remaining: z.number(),
  }),
  errors: ['SECOND_FACTOR_REQUIRED', 'RECOVERY_CODES_NOT_FOUND'],
})

export const hostedCreateRecoveryCodes = post('/auth/v1/factors/recovery-codes', 'signed-in', {
  summary: 'Create recovery codes for an account with a verified factor; they are shown only once',
  needsRecentSignIn: true,
  body: optionalBody(z.object({ friendly_name: label })),
  returns: newRecoveryCodes,
  errors: ['SECOND_FACTOR_REQUIRED', 'RECOVERY_CODES_EXIST', 'RECOVERY_CODES_ALONE', 'FACTOR_NAME_TAKEN'],
})

export const hostedReplaceRecoveryCodes = post('/auth/v1/factors/recovery-codes/regenerate', 'signed-in', {
  summary: 'Replace all recovery codes; the new ones are shown only once, the old ones become invalid',
  needsRecentSignIn: true,
  returns: newRecoveryCodes,
  errors: ['SECOND_FACTOR_REQUIRED', 'RECOVERY_CODES_NOT_FOUND'],
})

export const hostedVerifyRecoveryCode = post('/auth/v1/factors/recovery-codes/verify', 'signed-in', {
  summary: 'Use one recovery code as the second step of a sign-in: the session becomes aal2 with new tokens',
  worksBeforePasswordChange: true,
  worksBeforeSecondFactor: true,
  /** Case, spaces and hyphens are ignored. */
  body: optionalBody(z.object({ code: text(100) })),
  returns: z.extend(hostedSession, { recovery_codes_remaining: z.number() }),
  errors: ['RECOVERY_CODE_WRONG', 'RECOVERY_CODES_LOCKED', 'REQUEST_INCOMPLETE'],
})

export const hostedRemoveRecoveryCodes = del('/auth/v1/factors/recovery-codes', 'signed-in', {
  summary: 'Remove the recovery codes; sessions that used one fall back to aal1',
  needsRecentSignIn: true,
  returns: z.object({ id: z.uuid() }),
  errors: ['SECOND_FACTOR_REQUIRED', 'RECOVERY_CODES_NOT_FOUND'],
})
