import type { OutboxMail } from '@pegasus/contracts/users'
import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { COUNT_CAP, type Cursor, type Page, toPage } from '../../platform/http/paging.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import type { RootSecret } from '../../platform/secrets/root-secret.ts'

const PURPOSE = 'outbox-mail'
/** What the mails' links open has long expired by then. */
const KEPT_MS = 30 * DAY_MS
const CLEARED_AT_ONCE = 100

interface OutboxRow {
  id: string
  recipient: string
  subject: string
  body_sealed: string
  created_at: string
}

interface SealedBody {
  text: string
  links: string[]
}

/** Where mails go while no mail server is set: rows that admins read and pass on by hand. */
export const createOutbox = (deps: { secret: RootSecret; clock: Clock }): MailTransport => ({
  reachesPeople: false,
  async post(tx, mail) {
    const now = deps.clock.now()
    const body: SealedBody = { text: mail.text, links: [...mail.links] }
    const sealed = deps.secret.seal(PURPOSE, JSON.stringify(body))
    await tx`
      delete from outbox_mails where id in (
        select id from outbox_mails
        where created_at < ${addMs(now, -KEPT_MS)} limit ${CLEARED_AT_ONCE} for update skip locked)`
    await tx`
      insert into outbox_mails (id, account_id, recipient, subject, body_sealed, created_at)
      values (${mail.id}, ${mail.accountId}, ${mail.to}, ${mail.subject}, ${sealed}, ${now})
      on conflict (id) do nothing`
  },
})

/** Mails of the outbox, newest first. Admins see those to accounts below them, as their roles are now. */
export async function listOutbox(
  sql: Queryable,
  secret: RootSecret,
  reader: { isOwner: boolean },
  page: { cursor: Cursor | null; limit: number },
): Promise<Page<OutboxMail>> {
  const isVisible = reader.isOwner
    ? sql`true`
    : sql`exists (select 1 from people p where p.id = m.account_id and p.role not in ('admin', 'owner'))`
  const after = page.cursor
    ? sql`and (m.created_at, m.id) < (${page.cursor.createdAt}::timestamptz, ${page.cursor.id}::uuid)`
    : sql``
  const rows = await sql<OutboxRow[]>`
    select m.* from outbox_mails m where ${isVisible} ${after}
    order by m.created_at desc, m.id desc limit ${page.limit + 1}`
  const [count] = await sql<[{ total: number }]>`
    select count(*)::int as total
    from (select 1 from outbox_mails m where ${isVisible} limit ${COUNT_CAP + 1}) as counted`
  const { items, next, total } = toPage([...rows], page.limit, count.total)
  return { items: items.map((row) => openMail(secret, row)), next, total }
}

function openMail(secret: RootSecret, row: OutboxRow): OutboxMail {
  const body = JSON.parse(secret.open(PURPOSE, row.body_sealed).toString('utf8')) as SealedBody
  return {
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: body.text,
    links: body.links,
    created_at: row.created_at,
  }
}
