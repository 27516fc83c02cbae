import type { Queryable } from '../database/database.ts'
import type { Mail, MailTransport } from '../mail/mail.ts'

/** A text message to one phone. */
export interface Sms {
  /** The permanent id of this message. If a message is sent twice under one id, it is delivered once. */
  id: string
  /** The account that the message concerns. It determines who may read the message in the outbox. */
  accountId: string
  /** The phone number, with a leading `+`. */
  to: string
  text: string
  /**
   * When the code in the message expires, as RFC 3339. A later message would be useless, but would still cost money.
   */
  expiresAt: string
  /** The body of the call to the program that sends messages. */
  call: Record<string, unknown>
}

/** How text messages leave the server: through the operator's program, or into the outbox. */
export interface SmsTransport {
  /** Whether messages reach their recipients. */
  readonly reachesPeople: boolean
  /** Queues a message in the caller's transaction. The message is sent if and only if the transaction commits. */
  post(tx: Queryable, sms: Sms): Promise<void>
}

/** Returns a message in the form that the outbox stores. */
export const outboxFormOf = ({ id, accountId, to, text }: Sms): Mail => ({
  id,
  accountId,
  to,
  subject: 'Text message',
  text,
  html: '',
  links: [],
})

/**
 * Creates the transport for installations without a program that sends messages. Administrators read the
 * messages in the outbox.
 */
export const createOutboxSms = (outbox: Pick<MailTransport, 'post'>): SmsTransport => ({
  reachesPeople: false,
  post: (tx, sms) => outbox.post(tx, outboxFormOf(sms)),
})
