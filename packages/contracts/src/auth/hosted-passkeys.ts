import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { hostedSession } from './hosted-auth.ts'
import { creationOptions, credentialAnswer, requestOptions } from './webauthn.ts'

const { get, post, patch, del } = declareEndpoints('hosted auth', {
  dialect: 'hosted-auth',
  notFound: 'PASSKEY_NOT_FOUND',
})

/**
 * Passkeys in the hosted auth service's protocol: keys of devices that sign in without a name or a password.
 */

/** Maximum number of passkeys of one account. */
export const MAX_PASSKEYS = 10
const NAME_MAX_LENGTH = 120

/** The challenge in a response to `…/options`. */
const challengeFields = {
  challenge_id: z.uuid(),
  /** Unix time in seconds. */
  expires_at: z.number(),
}

const answerBody = z.optional(
  z.nullable(
    z.object({
      challenge_id: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
      credential: z.optional(z.nullable(credentialAnswer)),
    }),
  ),
)

export const hostedPasskey = z.object({
  id: z.uuid(),
  friendly_name: z.string(),
  created_at: timestamp,
  last_used_at: z.optional(timestamp),
})
export type HostedPasskey = z.output<typeof hostedPasskey>

export const hostedStartPasskeyRegistration = post('/auth/v1/passkeys/registration/options', 'signed-in', {
  summary:
    'Start adding a passkey: returns the options for the browser, which are valid once, for five minutes, in this session',
  needsRecentSignIn: true,
  returns: z.object({ ...challengeFields, options: creationOptions }),
  errors: ['PASSKEYS_DISABLED', 'SSO_MANAGED', 'TOO_MANY_PASSKEYS'],
})

export const hostedVerifyPasskeyRegistration = post('/auth/v1/passkeys/registration/verify', 'signed-in', {
  summary: 'Add the passkey that a device has created',
  body: answerBody,
  returns: hostedPasskey,
  errors: [
    'PASSKEYS_DISABLED',
    'PASSKEY_CHALLENGE_NOT_FOUND',
    'PASSKEY_CHALLENGE_EXPIRED',
    'PASSKEY_WRONG',
    'WEBAUTHN_CREDENTIAL_EXISTS',
    'TOO_MANY_PASSKEYS',
    'REQUEST_INCOMPLETE',
  ],
})

export const hostedStartPasskeySignIn = post('/auth/v1/passkeys/authentication/options', 'public', {
  summary:
    'Start a sign-in with a passkey: returns the options for the browser, which are valid once, for five minutes',
  returns: z.object({ ...challengeFields, options: requestOptions }),
  errors: ['PASSKEYS_DISABLED'],
})

export const hostedVerifyPasskeySignIn = post('/auth/v1/passkeys/authentication/verify', 'public', {
  summary: 'Get a session with a passkey; an account with a second factor must then verify it',
  body: answerBody,
  returns: hostedSession,
  errors: [
    'PASSKEYS_DISABLED',
    'PASSKEY_CHALLENGE_NOT_FOUND',
    'PASSKEY_CHALLENGE_EXPIRED',
    'PASSKEY_UNKNOWN',
    'PASSKEY_WRONG',
    'ACCOUNT_DEACTIVATED',
    'EMAIL_NOT_CONFIRMED',
    'ACCOUNT_NOT_APPROVED',
    'TOO_MANY_SIGN_INS',
    'REQUEST_INCOMPLETE',
  ],
})

export const hostedListPasskeys = get('/auth/v1/passkeys', 'signed-in', {
  summary: "The caller's own passkeys, oldest first",
  returns: z.array(hostedPasskey),
  errors: ['SECOND_FACTOR_REQUIRED'],
})

export const hostedRenamePasskey = patch('/auth/v1/passkeys/:id', 'signed-in', {
  summary: 'Rename a passkey',
  body: z.optional(
    z.nullable(
      z.object({
        friendly_name: z.optional(
          z.nullable(
            z
              .string()
              .check(
                z.trim(),
                z.maxLength(NAME_MAX_LENGTH, 'The name is too long'),
                z.regex(/^\P{Cc}*$/u, 'The name contains control characters'),
              ),
          ),
        ),
      }),
    ),
  ),
  returns: hostedPasskey,
  errors: ['SECOND_FACTOR_REQUIRED', 'REQUEST_INCOMPLETE'],
})

export const hostedDeletePasskey = del('/auth/v1/passkeys/:id', 'signed-in', {
  summary: 'Remove a passkey; the sessions that it opened continue',
  needsRecentSignIn: true,
  errors: ['SECOND_FACTOR_REQUIRED'],
})
