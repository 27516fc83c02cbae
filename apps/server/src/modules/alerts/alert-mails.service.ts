import { ALERT_MAIL_MINUTES } from '@pegasus/contracts/alerts'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, MINUTE_MS, addMs } from '../../platform/clock.ts'
import { ADVISORY_LOCKS, tryTransactionLock } from '../../platform/database/advisory-lock.ts'
import type { Database } from '../../platform/database/database.ts'
import { renderMail } from '../../platform/mail/layout.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import { composeAlertMail } from './alert-mail.ts'
import { listAccountsToMail, noteMailed, claimDueMails } from './alert-mails.queries.ts'

const PEOPLE_AT_ONCE = 50

interface Deps {
  database: Database
  clock: Clock
  mail: MailTransport
  publicUrl: string
}

/**
 * Sends due mails: the first alert at once, later ones together after a quarter of an hour. The transaction that
 * marks the alerts as mailed also writes the mail, so it is sent once.
 */
export async function mailAlerts({ database, clock, mail, publicUrl }: Deps): Promise<void> {
  const mailSome = () =>
    database.transaction(async (tx) => {
      if (!(await tryTransactionLock(tx, ADVISORY_LOCKS.alerts))) return false
      const now = clock.now()
      const sentBefore = addMs(now, -ALERT_MAIL_MINUTES * MINUTE_MS)
      const people = await listAccountsToMail(tx, sentBefore, PEOPLE_AT_ONCE)
      for (const { id: accountId, email, is_active: mayKnow } of people) {
        const alerts = await claimDueMails(tx, accountId)
        if (!mayKnow || alerts.length === 0) continue
        const { subject, content } = composeAlertMail(alerts, publicUrl)
        await mail.post(tx, { id: uuidv7(), accountId, to: email, subject, ...renderMail(content) })
        await noteMailed(tx, accountId, now)
      }
      return people.length === PEOPLE_AT_ONCE
    })
  while (await mailSome());
}
