import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import { phoneEnd } from '@pegasus/contracts/auth/phone-number'
import type { ComposedMail } from '../mail-links/link-mails.ts'

/**
 * Composes the notice about a new phone number. The person should know about it, because codes to that number open the
 * account.
 */
export const composePhoneChangeNotice = (phone: string): ComposedMail => ({
  subject: `The phone number of your ${PRODUCT_NAME} account has been changed`,
  content: {
    title: 'Your phone number has been changed',
    paragraphs: [
      `From now on, codes that are sent to the number ending in ${phoneEnd(phone)} sign you in.`,
      'If this was not you, change your password and tell an administrator.',
    ],
  },
})
