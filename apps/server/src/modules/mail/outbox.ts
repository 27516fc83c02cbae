import type { OutboxMail } from '@pegasus/contracts/mail'
import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import { countUpToCap, newestFirst } from '../../platform/database/list-queries.ts'
import type { Row } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { clearSome } from '../../platform/database/delete-unlocked.ts'
import { type Page, toPage, type PageRequest } from '../../platform/http/paging.ts'
import type { Mail, MailTransport, Undelivered } from '../../platform/mail/mail.ts'
import type { RootSecret } from '../../platform/root-secret.ts'

const PURPOSE = 'outbox-mail'
/** How long the outbox keeps an email. The links in it expire long before. */
const KEPT_MS = 30 * DAY_MS

type OutboxRow = Row<
  'outbox_mails',
  'id' | 'recipient' | 'subject' | 'body_sealed' | 'created_at' | 'failed_at' | 'failure'
>

interface SealedBody {
  text: string
  links: string[]
}

/** Emails that were not sent. Administrators read them, and give the links to the recipients. */
export interface Outbox extends MailTransport {
  /** Stores an email that the mail server refused. Storing the same email again changes nothing. */
  keep(tx: Queryable, mail: Mail, failed: Undelivered): Promise<void>
  /** Takes an email out of the outbox before it is sent. Returns false if the outbox does not contain it. */
  takeBack(tx: Queryable, id: string): Promise<boolean>
}

/**
 * Creates the outbox. Without a mail server it keeps all emails. With one it keeps the emails that the mail
 * server refused.
 */
export function createOutbox(deps: { secret: RootSecret; clock: Clock }): Outbox {
  const { secret, clock } = deps

  const insert = async (
    tx: Queryable,
    mail: Mail,
    state: { createdAt: Date; failedAt: Date | null; failure: string | null },
  ): Promise<void> => {
    const body: SealedBody = { text: mail.text, links: [...mail.links] }
    const sealed = secret.seal(PURPOSE, JSON.stringify(body))
    await clearSome(tx, 'outbox_mails', tx`id`, tx`created_at < ${addMs(clock.now(), -KEPT_MS)}`)
    await tx`
      insert into outbox_mails (id, account_id, recipient, subject, body_sealed, created_at, failed_at, failure)
      values (${mail.id}, ${mail.accountId}, ${mail.to}, ${mail.subject}, ${sealed}, ${state.createdAt},
              ${state.failedAt}, ${state.failure})
      on conflict (id) do nothing`
  }

  return {
    reachesPeople: false,
    post: (tx, mail) => insert(tx, mail, { createdAt: clock.now(), failedAt: null, failure: null }),
    keep: (tx, mail, { postedAt, failure }) =>
      insert(tx, mail, { createdAt: postedAt, failedAt: clock.now(), failure }),
    takeBack: async (tx, id) =>
      (await tx`delete from outbox_mails where id = ${id} and failed_at is not null returning 1`).length > 0,
  }
}

/** Returns those of the given links that no longer work. The module `auth` provides this function. */
export type FindEndedLinks = (sql: Queryable, links: readonly string[], now: Date) => Promise<Set<string>>

/** Lists the emails in the outbox, newest first. An admin sees only emails to accounts whose role is lower now. */
export async function listOutbox(
  sql: Queryable,
  { secret, findEndedLinks, now }: { secret: RootSecret; findEndedLinks: FindEndedLinks; now: Date },
  reader: { isOwner: boolean },
  page: PageRequest,
): Promise<Page<OutboxMail>> {
  const isVisible = reader.isOwner
    ? sql`true`
    : sql`exists (select 1 from people p where p.id = m.account_id and p.role not in ('admin', 'owner'))`
  const rows = await sql<OutboxRow[]>`
    select m.* from outbox_mails m where ${isVisible} ${newestFirst(sql, page, sql`m.created_at`, sql`m.id`)}`
  const count = await countUpToCap(sql, sql`select 1 from outbox_mails m where ${isVisible}`)
  const { items, next, total } = toPage([...rows], page.limit, count)
  const opened = items.map((row) => ({ row, body: openBody(secret, row) }))
  const ended = await findEndedLinks(
    sql,
    opened.flatMap(({ body }) => body.links),
    now,
  )
  return { items: opened.map(({ row, body }) => presentMail(row, body, ended)), next, total }
}

const openBody = (secret: RootSecret, row: OutboxRow): SealedBody =>
  JSON.parse(secret.open(PURPOSE, row.body_sealed).toString('utf8')) as SealedBody

function presentMail(row: OutboxRow, body: SealedBody, ended: ReadonlySet<string>): OutboxMail {
  return {
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: body.text,
    links: body.links,
    link_ended: body.links.some((link) => ended.has(link)),
    created_at: row.created_at,
    failed_at: row.failed_at,
    failure: row.failure,
  }
}
