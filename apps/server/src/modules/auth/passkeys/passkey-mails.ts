import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import type { ComposedMail } from '../mail-links/link-mails.ts'

const NOT_YOU =
  'If this was not you, remove the passkey in your profile, change your password and tell your administrator.'

export const composePasskeyAdded = (): ComposedMail => ({
  subject: `You can now sign in to ${PRODUCT_NAME} with a passkey`,
  content: {
    title: 'A passkey has been added',
    paragraphs: ['One of your devices can now sign you in without your password.', NOT_YOU],
  },
})

export const composePasskeyRemoved = (): ComposedMail => ({
  subject: `A passkey of your ${PRODUCT_NAME} account has been removed`,
  content: {
    title: 'A passkey has been removed',
    paragraphs: [
      'You can no longer sign in with it.',
      'If this was not you, change your password and tell your administrator.',
    ],
  },
})
