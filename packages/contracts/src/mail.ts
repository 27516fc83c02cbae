import * as z from 'zod/mini'
import { nullable, timestamp } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'

const { list } = declareEndpoints('users')

/**
 * An email that was not sent, because no mail server is configured or because the mail server rejected the
 * email.
 */
const outboxMail = z.object({
  id: z.uuid(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  links: z.array(z.string()),
  /**
   * Whether the link in the email is no longer valid, because it was used, has expired, or was replaced by a
   * newer link.
   */
  link_ended: z.boolean(),
  created_at: timestamp,
  /** When the last attempt to send the email failed. Null without a mail server. */
  failed_at: nullable.timestamp,
  /** Why the last attempt to send the email failed. Null without a mail server. */
  failure: nullable.text,
})
export type OutboxMail = z.output<typeof outboxMail>

export const listOutboxMails = list('/api/outbox-mails', 'admin', {
  summary:
    'Unsent emails, which people deliver by hand; admins see the emails to lower roles, owners see all',
  of: outboxMail,
})
