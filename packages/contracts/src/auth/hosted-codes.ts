import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { codeChallenge, grantText, metadata, redirectQuery } from './hosted-auth.ts'

const { get, post } = declareEndpoints('hosted auth', { dialect: 'hosted-auth' })

/** Codes and links that sign in or reauthenticate, in the hosted auth service's protocol. */

export const hostedOtp = post('/auth/v1/otp', 'public', {
  summary:
    'Send a sign-in link by email, or a code to a phone; a new address or number is signed up unless create_user is false or sign-ups are closed',
  query: redirectQuery,
  body: z.optional(
    z.object({
      email: grantText,
      phone: grantText,
      create_user: z.optional(z.nullable(z.boolean('create_user is true or false'))),
      data: z.optional(z.nullable(metadata)),
      channel: grantText,
      ...codeChallenge,
    }),
  ),
  returns: z.object({}),
  errors: [
    'OTP_SIGNUP_DISABLED',
    'PHONE_DISABLED',
    'PHONE_INVALID',
    'TOO_MANY_SMS',
    'EMAIL_INVALID',
    'REQUEST_INCOMPLETE',
    'TOO_MANY_MAILS',
    'TOO_MANY_REQUESTS',
  ],
})

export const hostedReauthenticate = get('/auth/v1/reauthenticate', 'signed-in', {
  summary:
    'Send a code by email, or to the phone of an account without an email address; if the sign-in is old, PUT /auth/v1/user accepts the code as `nonce`',
  isForAnonymous: true,
  returns: z.object({}),
  errors: ['REQUEST_INCOMPLETE', 'TOO_MANY_MAILS', 'TOO_MANY_SMS', 'TOO_MANY_REQUESTS'],
})
