import { ALERT_KIND_NAMES, alertAddress, alertSentence } from '@pegasus/contracts/alerts'
import type { MailContent } from '../../platform/mail/layout.ts'
import type { AlertRow } from './alerts.queries.ts'

/** A mail lists a few alerts; the app has all of them. */
const NAMED = 30

const FOOTNOTE = 'You can choose what you are told of under Alerts in the app.'

/** One mail with the alerts that a person has not received yet, newest first; at least one. */
export function composeAlertMail(
  alerts: readonly AlertRow[],
  publicUrl: string,
): { subject: string; content: MailContent } {
  const [first] = alerts
  if (!first) throw new Error('a mail of no alerts')
  const linkTo = (alert: AlertRow): string => new URL(alertAddress(alert), publicUrl).href
  const headline = `${ALERT_KIND_NAMES[first.kind]}: ${first.title}`
  if (alerts.length === 1)
    return {
      subject: headline,
      content: {
        title: headline,
        paragraphs: [alertSentence(first)],
        button: { label: 'Show it', url: linkTo(first) },
        footnote: FOOTNOTE,
      },
    }
  const more = alerts.length - NAMED
  return {
    subject: `${headline} and ${alerts.length - 1} more`,
    content: {
      title: `${alerts.length} alerts`,
      paragraphs: [
        ...alerts
          .slice(0, NAMED)
          .map(
            (alert) =>
              `${ALERT_KIND_NAMES[alert.kind]}: ${alert.title} (${alertSentence(alert)}) ${linkTo(alert)}`,
          ),
        ...(more > 0 ? [`And ${more} more.`] : []),
      ],
      button: { label: 'Open the app', url: new URL('/', publicUrl).href },
      footnote: FOOTNOTE,
    },
  }
}
