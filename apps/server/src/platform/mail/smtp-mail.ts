import { SECOND_MS } from '../clock.ts'
import type { Queryable } from '../database/database.ts'
import { trace } from '../tracing/tracing.ts'
import { type DeliveryDeps, createDeliveryQueue } from './delivery-queue.ts'
import type { Mail, MailTransport, Undelivered } from './mail.ts'

const TASK_DEADLINE_SECONDS = 60
/**
 * The number of retries. With pauses of up to a minute, they take about an hour. A restart of the mail server, or its
 * deliberate delay of unknown senders (greylisting), takes less.
 */
const RETRY_LIMIT = 60
const CONNECT_MS = 15 * SECOND_MS
const SILENCE_MS = 30 * SECOND_MS

/** Sends emails through a mail server in a background task. */
export function createSmtpMail(
  deps: DeliveryDeps & {
    url: string
    from: string
    /** Stores an email that could not be sent, for administrators. May be called twice for the same email. */
    keep(sql: Queryable, mail: Mail, failed: Undelivered): Promise<void>
    /** Removes a stored email, so that it can be sent after all. Returns false if it is no longer there. */
    takeBack(tx: Queryable, id: string): Promise<boolean>
  },
): MailTransport {
  // Import the library with the first email, because many servers send none after their start.
  const openTransport = async () =>
    (await import('nodemailer')).createTransport({
      url: deps.url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // An email must never make the library read a file or fetch an address. Our emails do not need either.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  let transport: ReturnType<typeof openTransport> | null = null

  const send = async (mail: Mail): Promise<void> => {
    transport ??= openTransport()
    await (await transport).sendMail({
      from: deps.from,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      // The id is the same for every attempt, so that mail servers recognize a second copy.
      messageId: `<${mail.id}@${domainOf(deps.from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  }

  const server = { 'server.address': new URL(deps.url).hostname }
  const sendTraced = (mail: Mail): Promise<void> =>
    trace({ name: 'send email', kind: 'client', attributes: server }, () => send(mail))

  const post = createDeliveryQueue<Mail>(deps, {
    taskName: 'mail.send',
    purpose: 'mail-task',
    deadlineSeconds: TASK_DEADLINE_SECONDS,
    retryLimit: RETRY_LIMIT,
    send: sendTraced,
    isRefusal,
    refusalText: 'the mail server refused an email',
    keep: deps.keep,
    takeBack: deps.takeBack,
  })
  return { reachesPeople: true, post }
}

/**
 * Whether the mail server has permanently rejected this email, so that a retry is pointless (RFC 5321: reply codes 500
 * to 599). Returns false if it rejects our sign-in or sender, because the operator may correct the settings within the
 * hour.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'permanent' in error &&
  error.permanent === true &&
  'command' in error &&
  (error.command === 'RCPT TO' || error.command === 'DATA')

/** Returns the part after the @ of `Name <name@host>` or `name@host`. */
const domainOf = (from: string): string => /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
