import type { Queryable } from '../database/database.ts'

/** A mail to one person, in both forms. */
export interface Mail {
  /** Permanent id of this mail: sending twice under one id delivers it once. */
  id: string
  /** The account it concerns, or null; decides who may read it in the outbox. */
  accountId: string | null
  to: string
  subject: string
  text: string
  html: string
  /** Addresses used in the mail. */
  links: readonly string[]
}

/** Why a mail could not be sent. */
export interface Undelivered {
  postedAt: Date
  /** One short line: mostly the mail server's own words. */
  failure: string
}

/** How mail leaves the product: through a mail server, or into the outbox, which admins read. */
export interface MailTransport {
  /** Whether mails reach their recipients, so that opening a link proves the address. */
  readonly reachesPeople: boolean
  /** Hands over a mail in the caller's transaction: it is sent if and only if that commits. */
  post(tx: Queryable, mail: Mail): Promise<void>
}
