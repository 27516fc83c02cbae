import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import type { ComposedMail } from '../mail-links/link-mails.ts'

const NOT_YOU =
  'If this was not you, remove this sign-in method in your profile, change your password, and tell your administrator.'

export const composeIdentityLinked = (provider: string): ComposedMail => ({
  subject: `You can now sign in to ${PRODUCT_NAME} with ${provider}`,
  content: {
    title: `A sign-in with ${provider} has been linked`,
    paragraphs: [`From now on you can also sign in to your account with ${provider}.`, NOT_YOU],
  },
})

export const composeIdentityUnlinked = (provider: string): ComposedMail => ({
  subject: `You can no longer sign in to ${PRODUCT_NAME} with ${provider}`,
  content: {
    title: `The sign-in with ${provider} has been removed`,
    paragraphs: [
      `Signing in to your account with ${provider} is no longer possible.`,
      'If this was not you, change your password and tell your administrator.',
    ],
  },
})
