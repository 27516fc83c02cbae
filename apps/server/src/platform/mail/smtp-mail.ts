import { type Clock, DAY_MS, SECOND_MS, addMs } from '../clock.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { RootSecret } from '../root-secret.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Mail, MailTransport, Undelivered } from './mail.ts'

const SEND_TASK = 'mail.send'
const PURPOSE = 'mail-task'
const TASK_DEADLINE_SECONDS = 60
/**
 * With pauses of up to a minute, this is about an hour, which is longer than greylisting or the restart of a mail
 * server.
 */
const RETRY_LIMIT = 60
const CONNECT_MS = 15 * SECOND_MS
const SILENCE_MS = 30 * SECOND_MS
const REMEMBERED_MS = 7 * DAY_MS
const FAILURE_MAX_LENGTH = 500

interface SendTask {
  id: string
  /** The whole mail, encrypted, because the queue is a table too and a mail can contain a sign-in link. */
  sealed: string
  /** The time at which the mail was handed over, as RFC 3339. Missing in mails queued by an earlier version. */
  postedAt?: string
}

/**
 * Sends mails through a mail server in a background task, so an unreachable server delays mail but loses none. Mails
 * that the server refuses, or has not accepted after the last attempt, are kept for administrators.
 */
export function createSmtpMail(deps: {
  url: string
  from: string
  database: Database
  tasks: Tasks
  secret: RootSecret
  clock: Clock
  /** Keeps a mail that could not be sent. It may be called twice for the same mail. */
  keep(sql: Queryable, mail: Mail, failed: Undelivered): Promise<void>
}): MailTransport {
  const { database, tasks, secret, clock } = deps
  // Load the library with the first mail, because most servers start without sending any.
  const openTransport = async () =>
    (await import('nodemailer')).createTransport({
      url: deps.url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // A mail is our own text. Nothing in it may name a file or an address to fetch.
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
      // The same for every attempt, so that a second copy is recognized.
      messageId: `<${mail.id}@${domainOf(deps.from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  }

  const open = ({ sealed }: SendTask): Mail =>
    JSON.parse(secret.open(PURPOSE, sealed).toString('utf8')) as Mail

  const postedAtOf = ({ postedAt }: SendTask): Date => (postedAt ? new Date(postedAt) : clock.now())

  const giveUp = (task: SendTask, error: unknown): Promise<void> =>
    deps.keep(database.sql, open(task), { postedAt: postedAtOf(task), failure: inOneLine(error) })

  tasks.register<SendTask>({
    name: SEND_TASK,
    deadlineSeconds: TASK_DEADLINE_SECONDS,
    retryLimit: RETRY_LIMIT,
    concurrency: 2,
    async run(task, { log }) {
      const { id } = task
      const [earlier] = await database.sql`select id from sent_mails where id = ${id}`
      if (earlier) return
      try {
        await send(open(task))
      } catch (error) {
        if (!isRefusal(error)) throw error
        log.error({ err: error, mail: id }, 'the mail server refused a mail')
        return giveUp(task, error)
      }
      const now = clock.now()
      await database.sql`insert into sent_mails (id, sent_at) values (${id}, ${now}) on conflict do nothing`
      await database.sql`delete from sent_mails where sent_at < ${addMs(now, -REMEMBERED_MS)}`
    },
    onFailed: giveUp,
  })

  return {
    reachesPeople: true,
    async post(tx, mail) {
      const task: SendTask = {
        id: mail.id,
        sealed: secret.seal(PURPOSE, JSON.stringify(mail)),
        postedAt: clock.now().toISOString(),
      }
      await tasks.enqueue(tx, SEND_TASK, task, { singletonKey: mail.id })
    },
  }
}

/**
 * Whether the server rejected this mail permanently (RFC 5321: a 5yz reply), so that a retry is pointless. A refused
 * sign-in or sender does not count, because it concerns our configuration and may be fixed within the hour.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'permanent' in error &&
  error.permanent === true &&
  'command' in error &&
  (error.command === 'RCPT TO' || error.command === 'DATA')

const inOneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, FAILURE_MAX_LENGTH) || 'unknown'

/** Returns the part after the @ of `Name <name@host>` or `name@host`. */
const domainOf = (from: string): string => /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
