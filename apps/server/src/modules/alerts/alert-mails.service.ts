import {
  ALERT_KIND_NAMES,
  alertAddress,
  alertSentence,
  isTitleText,
} from '@pegasus/contracts/alerts/alert-texts'
import { ALERT_MAIL_MINUTES } from '@pegasus/contracts/alerts/alerts'
import { languageOf } from '@pegasus/contracts/texts/languages'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, MINUTE_MS, addMs } from '../../platform/clock.ts'
import { ADVISORY_LOCKS, tryTransactionLock } from '../../platform/database/advisory-lock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type MailContent, renderTranslatedMail } from '../../platform/mail/layout.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import { type Translate, translatorTo } from '../../platform/server-texts.ts'
import { listAccountsToMail, noteMailed, claimDueMails } from './alert-mails.queries.ts'
import type { AlertRow } from './alerts.queries.ts'

/** Maximum number of alerts that an email lists. The app lists all of them. */
const NAMED = 30

/** Placeholder for the headline while the text around it is translated. */
const HEADLINE = '{headline}'

const FOOTNOTE = 'Choose which alerts you get under Alerts in the app.'

/**
 * Composes an email that lists the alerts that a person has not received yet, newest first. Requires at least one
 * alert. Translates each text before it inserts names, because names must not be translated.
 */
function composeAlertMail(
  alerts: readonly AlertRow[],
  publicUrl: string,
  translate: Translate,
): { subject: string; content: MailContent } {
  const [first] = alerts
  if (!first) throw new Error('a mail of no alerts')
  const linkTo = (alert: AlertRow): string => new URL(alertAddress(alert), publicUrl).href
  const headlineOf = (alert: AlertRow): string =>
    `${translate(ALERT_KIND_NAMES[alert.kind])}: ${isTitleText(alert) ? translate(alert.title) : alert.title}`
  const headline = headlineOf(first)
  if (alerts.length === 1)
    return {
      subject: headline,
      content: {
        title: headline,
        paragraphs: [translate(alertSentence(first))],
        button: { label: translate('Show it'), url: linkTo(first) },
        footnote: translate(FOOTNOTE),
      },
    }
  const more = alerts.length - NAMED
  return {
    // The headline contains a name, so insert it after the translation.
    subject: translate(`${HEADLINE} and ${alerts.length - 1} more`).replace(HEADLINE, () => headline),
    content: {
      title: translate(`${alerts.length} alerts`),
      paragraphs: [
        ...alerts
          .slice(0, NAMED)
          .map((alert) => `${headlineOf(alert)} (${translate(alertSentence(alert))}) ${linkTo(alert)}`),
        ...(more > 0 ? [translate(`And ${more} more.`)] : []),
      ],
      button: { label: translate('Open the app'), url: new URL('/', publicUrl).href },
      footnote: translate(FOOTNOTE),
    },
  }
}

const PEOPLE_AT_ONCE = 50

interface Deps {
  database: Database
  clock: Clock
  mail: MailTransport
  publicUrl: string
}

/**
 * Sends due emails: the first alert at once, later alerts together after 15 minutes. The transaction that
 * marks the alerts as mailed also writes the email, so each alert is mailed once.
 */
export async function mailAlerts({ database, clock, mail, publicUrl }: Deps): Promise<void> {
  const mailSome = () =>
    database.transaction(async (tx) => {
      if (!(await tryTransactionLock(tx, ADVISORY_LOCKS.alerts))) return false
      const now = clock.now()
      const sentBefore = addMs(now, -ALERT_MAIL_MINUTES * MINUTE_MS)
      const people = await listAccountsToMail(tx, sentBefore, PEOPLE_AT_ONCE)
      for (const { id: accountId, email, is_active: mayKnow, metadata } of people) {
        const alerts = await claimDueMails(tx, accountId)
        if (!mayKnow || alerts.length === 0) continue
        const language = languageOf(metadata)
        const composed = composeAlertMail(alerts, publicUrl, translatorTo(language))
        await mail.post(tx, {
          id: uuidv7(),
          accountId,
          to: email,
          ...renderTranslatedMail(composed, language),
        })
        await noteMailed(tx, accountId, now)
      }
      return people.length === PEOPLE_AT_ONCE
    })
  while (await mailSome());
}
