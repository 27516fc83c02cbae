import type { Queryable } from '../database/database.ts'

/** A mail to one person, in both forms. */
export interface Mail {
  /** Names this mail for good: what is sent twice under one id arrives once. */
  id: string
  /** The account it concerns, or null; decides who may read it where mails are not sent. */
  accountId: string | null
  to: string
  subject: string
  text: string
  html: string
  /** The addresses that stand in it. */
  links: readonly string[]
}

/** What became of a mail that could not be sent. */
export interface Undelivered {
  postedAt: Date
  /** One short line: mostly the mail server's own words. */
  failure: string
}

/** How mail leaves the product: by a mail server, or not at all (the outbox, for admins to read). */
export interface MailTransport {
  /** Whether mails reach the person they are for, so that opening a link proves whose address it is. */
  readonly reachesPeople: boolean
  /** Hands a mail over as part of the caller's transaction: it goes if and only if that commits. */
  post(tx: Queryable, mail: Mail): Promise<void>
}
