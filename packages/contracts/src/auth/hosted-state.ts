import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'

/** The endpoints with which the hosted auth service describes itself: its settings and its health. */
const { get } = declareEndpoints('hosted auth', { dialect: 'hosted-auth' })

export const hostedSettings = get('/auth/v1/settings', 'public', {
  summary: 'Available sign-in methods',
  returns: z.object({
    external: z.record(z.string(), z.boolean()),
    disable_signup: z.boolean(),
    mailer_autoconfirm: z.boolean(),
    phone_autoconfirm: z.boolean(),
    sms_provider: z.string(),
    saml_enabled: z.boolean(),
    passkeys_enabled: z.boolean(),
  }),
})

export const hostedHealth = get('/auth/v1/health', 'public', {
  summary: 'Whether the auth service works',
  returns: z.object({ version: z.string(), name: z.string(), description: z.string() }),
})
