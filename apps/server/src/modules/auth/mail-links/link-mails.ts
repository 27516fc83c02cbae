import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'
import type { MailContent } from '../../../platform/mail/layout.ts'

export interface ComposedMail {
  subject: string
  content: MailContent
}

/** The texts of an email. An email without `label`, the text of the button, has a code but no link. */
type Wording = Omit<MailContent, 'button' | 'code'> & { subject: string; label?: string }

const NOT_YOU = 'If you did not ask for this, you can ignore this email: nothing happens without the link.'

const WORDINGS: Readonly<Record<MailTokenType, Wording>> = {
  signup: {
    subject: `Confirm your email address for ${PRODUCT_NAME}`,
    title: 'Confirm your email address',
    paragraphs: [
      `Someone, hopefully you, created an account for ${PRODUCT_NAME} with this address.`,
      'Confirm that it is yours. An administrator may still have to approve the account before you can sign in.',
    ],
    label: 'Confirm email address',
    footnote: NOT_YOU,
  },
  recovery: {
    subject: `Reset your ${PRODUCT_NAME} password`,
    title: 'Choose a new password',
    paragraphs: [
      `Follow the link to choose a new password for ${PRODUCT_NAME}. It works once, within the next hour.`,
    ],
    label: 'Choose a new password',
    footnote: `${NOT_YOU} Your password stays as it is.`,
  },
  invite: {
    subject: `You have been invited to ${PRODUCT_NAME}`,
    title: `Welcome to ${PRODUCT_NAME}`,
    paragraphs: [
      `An administrator has created an account for you. Follow the link to choose your password; it works once, within the next seven days.`,
    ],
    label: 'Accept the invitation',
  },
  email_change: {
    subject: `Confirm your new email address for ${PRODUCT_NAME}`,
    title: 'Confirm your new email address',
    paragraphs: ['Follow the link to use this address for your account from now on.'],
    label: 'Use this address',
    footnote: NOT_YOU,
  },
  magiclink: {
    subject: `Sign in to ${PRODUCT_NAME}`,
    title: `Sign in to ${PRODUCT_NAME}`,
    paragraphs: ['Follow the link to sign in. It works once, within the next hour.'],
    label: 'Sign in',
    footnote: NOT_YOU,
  },
  reauthentication: {
    subject: `Your code for ${PRODUCT_NAME}`,
    title: 'Confirm that it is you',
    paragraphs: [
      'You requested a code to change your password. It works once, within the next fifteen minutes.',
    ],
    footnote:
      'If you did not ask for this, somebody is signed in as you: change your password and tell an administrator.',
  },
}

/** Composes an email with a link, a code or both. */
export function composeTokenMail(
  type: MailTokenType,
  { url, code }: { url: string | null; code: string | null },
): ComposedMail {
  const { subject, label, ...content } = WORDINGS[type]
  const button = label !== undefined && url !== null && { button: { label, url } }
  return { subject, content: { ...content, ...button, ...(code !== null && { code }) } }
}

/** Composes the email that tells a person who signs up again that an administrator has declined the first sign-up. */
export const composeDeclinedNotice = (): ComposedMail => ({
  subject: `Your sign-up for ${PRODUCT_NAME} was declined`,
  content: {
    title: 'Your sign-up was declined',
    paragraphs: [
      `Someone, hopefully you, signed up for ${PRODUCT_NAME} with this address again. An administrator declined that before, so nothing has changed.`,
      'If you should have an account, ask your administrator, who can reverse this.',
    ],
  },
})

/** Composes the notice to the old address about a changed address, so that nobody loses an account unnoticed. */
export const composeEmailChangeNotice = (newEmail: string): ComposedMail => ({
  subject: `The email address of your ${PRODUCT_NAME} account is being changed`,
  content: {
    title: 'Your email address is being changed',
    paragraphs: [
      `Somebody signed in to your account asked to use ${newEmail} for it. The change takes effect once that address is confirmed.`,
      'If this was not you, change your password and tell an administrator.',
    ],
  },
})
