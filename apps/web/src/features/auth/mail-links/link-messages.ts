import type { ClientConfig } from '@pegasus/contracts/client-config'
import { useMailDelivery } from '@/lib/http/config.ts'

interface LinkWords {
  /** Added to the specified sentence about a new account; null if that is enough. */
  created: string | null
  /** A link for choosing a password: its name, and the result of requesting one. */
  password: { intro: string; answer: string }
  /** The same for a link that confirms an address. */
  confirmation: { intro: string; answer: string }
  /** Shown after a failed sign-in with an unconfirmed address, when a new link was requested. */
  again: string
}

/** How people receive links. A mail is promised only if the product sends mails. */
const WORDS: Readonly<Record<ClientConfig['mail_delivery'], LinkWords>> = {
  smtp: {
    created: null,
    password: {
      intro: 'We send you a link that lets you choose a new one. It works once, within the hour.',
      answer: 'If an account with this address exists, a mail is on its way.',
    },
    confirmation: {
      intro: 'We send you a link that confirms your email address. It works once, within a day.',
      answer: 'If an account with this address waits for confirmation, a mail is on its way.',
    },
    again: 'A new mail is on its way. Open the link in it, then sign in.',
  },
  outbox: {
    created: 'No mails are sent from here: an administrator passes the link on to you.',
    password: {
      intro:
        'No mails are sent from here: an administrator passes on to you a link that lets you choose a new one. It works once, within the hour.',
      answer:
        'If an account with this address exists, a link is ready: an administrator passes it on to you.',
    },
    confirmation: {
      intro:
        'No mails are sent from here: an administrator passes on to you a link that confirms your email address. It works once, within a day.',
      answer:
        'If an account with this address waits for confirmation, a link is ready: an administrator passes it on to you.',
    },
    again: 'A new link is ready: an administrator passes it on to you. Open it, then sign in.',
  },
}

/** The texts for how links reach people here; the most cautious ones while that is unknown. */
export const useLinkMessage = (): LinkWords => WORDS[useMailDelivery() ?? 'outbox']
