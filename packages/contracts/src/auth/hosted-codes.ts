import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { codeChallenge, grantText, metadata, redirectQuery } from './hosted-auth.ts'

/** Mails of the hosted auth protocol that sign in, or prove once more who is signed in. */

export const hostedOtp = defineEndpoint({
  method: 'POST',
  path: '/auth/v1/otp',
  summary:
    'Mail a link that signs its reader in; signs a new address up, unless create_user is false or sign-ups are closed',
  tag: 'hosted auth',
  access: 'public',
  dialect: 'hosted-auth',
  query: redirectQuery,
  body: z.optional(
    z.object({
      email: grantText,
      phone: grantText,
      create_user: z.optional(z.nullable(z.boolean('create_user is true or false'))),
      data: z.optional(z.nullable(metadata)),
      ...codeChallenge,
    }),
  ),
  success: { status: 200, body: z.object({}) },
  errors: [
    'OTP_SIGNUP_DISABLED',
    'PHONE_DISABLED',
    'EMAIL_INVALID',
    'REQUEST_INCOMPLETE',
    'TOO_MANY_MAILS',
    'TOO_MANY_REQUESTS',
    'INVALID_INPUT',
  ],
})

export const hostedReauthenticate = defineEndpoint({
  method: 'GET',
  path: '/auth/v1/reauthenticate',
  summary: 'Mail a code that PUT /auth/v1/user takes as `nonce` where the sign-in is not recent',
  tag: 'hosted auth',
  access: 'signed-in',
  dialect: 'hosted-auth',
  success: { status: 200, body: z.object({}) },
  errors: ['UNAUTHENTICATED', 'BAD_JWT', 'SESSION_NOT_FOUND', 'TOO_MANY_MAILS', 'TOO_MANY_REQUESTS'],
})
