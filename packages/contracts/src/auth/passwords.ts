import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { post } = declareEndpoints('auth')

/**
 * A text that may be missing, null or empty. The handler checks it, because each broken rule has its own error message.
 */
const anyText = z.optional(nullable.text)
const newPassword = { new_password: anyText, confirm_password: anyText }

const changePasswordBody = z.object({ current_password: anyText, ...newPassword })

export const changePassword = post('/api/auth/change-password', 'signed-in', {
  summary: "Change the caller's password; all other sessions end at once, and this one ends after 60 s",
  worksBeforePasswordChange: true,
  worksBeforeFactorSetup: true,
  body: changePasswordBody,
  returns: z.object({ message: z.string() }),
  errors: [
    'CURRENT_PASSWORD_REQUIRED',
    'NEW_PASSWORD_REQUIRED',
    'NEW_PASSWORD_TOO_SHORT',
    'NEW_PASSWORD_TOO_LONG',
    'NEW_PASSWORD_COMMON',
    'NEW_PASSWORD_MISMATCH',
    'NEW_PASSWORD_SAME',
    'CURRENT_PASSWORD_WRONG',
    'SSO_MANAGED',
    'TOO_MANY_SIGN_INS',
  ],
})

const adminResetPasswordBody = z.object({ user_id: anyText, ...newPassword })

export const adminResetPassword = post('/api/auth/admin/reset-password', 'admin', {
  summary: "Set another person's password; all their sessions, links and passkeys end at once",
  refusal: 'ADMIN_REQUIRED',
  needsRecentSignIn: true,
  body: adminResetPasswordBody,
  returns: z.object({ message: z.string() }),
  errors: [
    'RESET_USER_REQUIRED',
    'NEW_PASSWORD_REQUIRED',
    'RESET_PASSWORD_TOO_SHORT',
    'RESET_PASSWORD_MISMATCH',
    'RESET_PASSWORD_TOO_LONG',
    'NEW_PASSWORD_COMMON',
    'RESET_OWN_PASSWORD',
    'ADMIN_REQUIRED',
    'OWNERS_ONLY',
    'SSO_MANAGED',
    'ACCOUNT_NOT_FOUND',
  ],
})
