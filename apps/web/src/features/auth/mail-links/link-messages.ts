import type { ClientConfig } from '@pegasus/contracts/client-config'
import { useMailDelivery } from '@/lib/http/config.ts'
import { t } from '@/lib/i18n/messages.ts'

interface LinkWords {
  /** Text that follows the specification's sentence about a new account. Null if that sentence is enough. */
  created: string | null
  /** Texts for a link to choose a password: the introduction, and the result of requesting the link. */
  password: { intro: string; answer: string }
  /** Texts for a link to confirm an address. */
  confirmation: { intro: string; answer: string }
  /** Texts for a sign-in with a code from an email. */
  code: { intro: string; answer: string }
  /** Shown after a new link was requested for a sign-in that failed because of an unconfirmed address. */
  again: string
}

/** Texts about how people receive links. They promise an email only if the server sends emails. */
const WORDS: Readonly<Record<ClientConfig['mail_delivery'], LinkWords>> = {
  smtp: {
    created: null,
    password: {
      intro: t('We will email you a link for choosing a new password. It works once, within an hour.'),
      answer: t('If an account with this address exists, an email is on its way.'),
    },
    confirmation: {
      intro: t('We will email you a link that confirms your email address. It works once, within a day.'),
      answer: t('If an account with this address waits for confirmation, an email is on its way.'),
    },
    code: {
      intro: t('We will email you a code and a link for signing in. Both work once, within an hour.'),
      answer: t('If an account with this address exists, an email is on its way.'),
    },
    again: t('A new email is on its way. Open its link, then sign in.'),
  },
  outbox: {
    created: t('This server sends no emails. An administrator can give you the link.'),
    password: {
      intro: t(
        'This server sends no emails. An administrator can give you a link for choosing a new password. It works once, within an hour.',
      ),
      answer: t(
        'If an account with this address exists, a link has been created. An administrator can give it to you.',
      ),
    },
    confirmation: {
      intro: t(
        'This server sends no emails. An administrator can give you a link that confirms your email address. It works once, within a day.',
      ),
      answer: t(
        'If an account with this address waits for confirmation, a link has been created. An administrator can give it to you.',
      ),
    },
    code: {
      intro: t(
        'This server sends no emails. An administrator can give you a code and a link for signing in. Both work once, within an hour.',
      ),
      answer: t(
        'If an account with this address exists, a code has been created. An administrator can give it to you.',
      ),
    },
    again: t('A new link has been created. An administrator can give it to you. Open it, then sign in.'),
  },
}

/**
 * Returns the texts that match the email delivery of this installation. While it is unknown, the texts
 * promise no email.
 */
export const useLinkMessage = (): LinkWords => WORDS[useMailDelivery() ?? 'outbox']
