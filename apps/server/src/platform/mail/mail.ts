import type { Queryable } from '../database/database.ts'

/** A mail to one person, as text and as HTML. */
export interface Mail {
  /** The permanent id of this mail. If a mail is sent twice under one id, it is delivered once. */
  id: string
  /** The account that the mail concerns, or null. It determines who may read the mail in the outbox. */
  accountId: string | null
  to: string
  subject: string
  text: string
  html: string
  /** Addresses used in the mail. */
  links: readonly string[]
}

/** A mail that could not be sent, with the reason. */
export interface Undelivered {
  postedAt: Date
  /** One short line, usually in the mail server's own words. */
  failure: string
}

/** How mails leave the product: through a mail server, or into the outbox, where administrators read them. */
export interface MailTransport {
  /** Whether mails reach their recipients. If so, opening a link in a mail proves the email address. */
  readonly reachesPeople: boolean
  /** Queues a mail in the caller's transaction. The mail is sent if and only if the transaction commits. */
  post(tx: Queryable, mail: Mail): Promise<void>
}
