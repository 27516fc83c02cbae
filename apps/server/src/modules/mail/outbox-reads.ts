import type { OutboxMail } from '@pegasus/contracts/mail'
import type { AuditContext } from '../../platform/actor.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { writeAudit } from '../audit/index.ts'

/**
 * Writes an audit entry for each email that an account reads for the first time, because the links in these emails sign
 * other people in. Later reads get no entry, because the page reloads the list automatically.
 */
export async function noteOutboxRead(
  tx: Queryable,
  { readerId, mails }: { readerId: string; mails: readonly OutboxMail[] },
  by: AuditContext,
): Promise<void> {
  const rows = await tx<{ mail_id: string }[]>`
    insert into outbox_reads (mail_id, reader_id, at)
    select m.id, ${readerId}, ${by.now} from outbox_mails m where m.id = any(${mails.map(({ id }) => id)}::uuid[])
    on conflict do nothing
    returning mail_id`
  if (rows.length === 0) return
  const isNew = new Set(rows.map((row) => row.mail_id))
  const shown = mails.filter(({ id }) => isNew.has(id)).map(({ id, to, subject }) => ({ id, to, subject }))
  await writeAudit(
    tx,
    { action: 'outbox.read', entity: 'outbox', entityId: null, after: { mails: shown } },
    by,
  )
}
