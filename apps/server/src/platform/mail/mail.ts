import type { Queryable } from '../database/database.ts'

/** An email to one person, as text and as HTML. */
export interface Mail {
  /** The permanent id of this email. If an email is sent twice under one id, it is delivered once. */
  id: string
  /** The account that the email concerns, or null. It determines who may read the email in the outbox. */
  accountId: string | null
  to: string
  subject: string
  text: string
  html: string
  /** Addresses used in the email. */
  links: readonly string[]
}

/** When an email was queued, and why it could not be sent. */
export interface Undelivered {
  postedAt: Date
  /** One short line, usually in the mail server's own words. */
  failure: string
}

/** How emails leave the server: through a mail server, or into the outbox, where administrators read them. */
export interface MailTransport {
  /** Whether emails reach their recipients. If so, opening a link in an email verifies the email address. */
  readonly reachesPeople: boolean
  /**
   * Queues an email in the caller's transaction. The email is sent if and only if the transaction commits.
   */
  post(tx: Queryable, mail: Mail): Promise<void>
}
