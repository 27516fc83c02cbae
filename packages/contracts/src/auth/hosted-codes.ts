import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { codeChallenge, grantText, metadata, redirectQuery } from './hosted-auth.ts'

const { get, post } = declareEndpoints('hosted auth', 'hosted-auth')

/** Mails of the hosted auth protocol that sign people in or confirm their identity. */

export const hostedOtp = post('/auth/v1/otp', 'public', {
  summary:
    'Mail a sign-in link; a new address is signed up unless create_user is false or sign-ups are closed',
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
  returns: z.object({}),
  errors: [
    'OTP_SIGNUP_DISABLED',
    'PHONE_DISABLED',
    'EMAIL_INVALID',
    'REQUEST_INCOMPLETE',
    'TOO_MANY_MAILS',
    'TOO_MANY_REQUESTS',
  ],
})

export const hostedReauthenticate = get('/auth/v1/reauthenticate', 'signed-in', {
  summary: 'Mail a code that PUT /auth/v1/user accepts as `nonce` after an older sign-in',
  returns: z.object({}),
  errors: ['TOO_MANY_MAILS', 'TOO_MANY_REQUESTS'],
})
