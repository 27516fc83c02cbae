import type { Queryable } from '../database/database.ts'

/** A mail to one person, as text and as HTML. */
export interface Mail {
  /** The permanent id of this mail. A mail that is sent twice under one id is delivered once. */
  id: string
  /** The account that the mail concerns, or null. It decides who may read the mail in the outbox. */
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
  /** One short line, usually the mail server's own message. */
  failure: string
}

/** The way in which mails leave the product: through a mail server, or into the outbox, which administrators read. */
export interface MailTransport {
  /** Whether mails reach their recipients. If so, opening a link in a mail proves the email address. */
  readonly reachesPeople: boolean
  /** Hands over a mail in the caller's transaction. The mail is sent if and only if the transaction commits. */
  post(tx: Queryable, mail: Mail): Promise<void>
}
