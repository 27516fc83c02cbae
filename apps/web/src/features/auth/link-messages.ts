import type { ClientConfig } from '@pegasus/contracts/client-config'
import { useMailDelivery } from '@/lib/http/config.ts'

interface LinkWords {
  /** Beside the specified sentence about a new account; null where that says it all. */
  created: string | null
  /** A link for choosing a password: what it is, and what comes of asking for it. */
  password: { intro: string; answer: string }
  /** The same of a link that confirms an address. */
  confirmation: { intro: string; answer: string }
  /** After a sign-in that failed for an address that is not confirmed, and a new link was asked for. */
  again: string
}

/** How people learn of links. A mail is promised only where mails leave the product. */
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

/** The words for how links reach people here; those that promise the least until that is known. */
export const useLinkMessage = (): LinkWords => WORDS[useMailDelivery() ?? 'outbox']
