import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import type { ComposedMail } from '../mail-links/link-mails.ts'

/** Composes the email that tells a person that an administrator has approved the account. */
export const composeApprovalMail = (publicUrl: string): ComposedMail => ({
  subject: `Your ${PRODUCT_NAME} account has been approved`,
  content: {
    title: 'Your account has been approved',
    paragraphs: [`You can sign in to ${PRODUCT_NAME} now.`],
    button: { label: 'Sign in', url: `${publicUrl}/login` },
  },
})

/** Composes the email that tells a person that an administrator has set the password. */
export const composePasswordResetNotice = (publicUrl: string): ComposedMail => ({
  subject: `Your ${PRODUCT_NAME} password has been reset`,
  content: {
    title: 'Your password has been reset',
    paragraphs: [
      'An administrator has given your account a new password, removed its passkeys, and ended all its sessions.',
      'Ask the administrator for the password, sign in, and choose a new one. If you did not expect this, tell an owner.',
    ],
    button: { label: 'Sign in', url: `${publicUrl}/login` },
  },
})
