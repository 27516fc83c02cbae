import { createTransport } from 'nodemailer'
import { type Clock, DAY_MS, SECOND_MS, addMs } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { RootSecret } from '../secrets/root-secret.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Mail, MailTransport } from './mail.ts'

const SEND_TASK = 'mail.send'
const PURPOSE = 'mail-task'
const TASK_DEADLINE_SECONDS = 60
/** With pauses of a minute at most: about an hour, which outlasts greylisting and a mail server's restart. */
const RETRY_LIMIT = 60
const CONNECT_MS = 15 * SECOND_MS
const SILENCE_MS = 30 * SECOND_MS
const REMEMBERED_MS = 7 * DAY_MS

interface SendTask {
  id: string
  /** The whole mail. The queue is a table as well, and a mail can hold what signs somebody in. */
  sealed: string
}

/** Sends by a mail server, as a background task: a mail server that is away delays mail and loses none. */
export function createSmtpMail(deps: {
  url: string
  from: string
  database: Database
  tasks: Tasks
  secret: RootSecret
  clock: Clock
}): MailTransport {
  const { database, tasks, secret, clock } = deps
  const transport = createTransport({
    url: deps.url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A mail is text of ours: nothing in it may name a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  const send = async (mail: Mail): Promise<void> => {
    await transport.sendMail({
      from: deps.from,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      // The same for every attempt, so that a second copy is known as one.
      messageId: `<${mail.id}@${domainOf(deps.from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  }

  tasks.register<SendTask>({
    name: SEND_TASK,
    deadlineSeconds: TASK_DEADLINE_SECONDS,
    retryLimit: RETRY_LIMIT,
    concurrency: 2,
    async run({ id, sealed }) {
      const [earlier] = await database.sql`select id from sent_mails where id = ${id}`
      if (earlier) return
      await send(JSON.parse(secret.open(PURPOSE, sealed).toString('utf8')) as Mail)
      const now = clock.now()
      await database.sql`insert into sent_mails (id, sent_at) values (${id}, ${now}) on conflict do nothing`
      await database.sql`delete from sent_mails where sent_at < ${addMs(now, -REMEMBERED_MS)}`
    },
  })

  return {
    reachesPeople: true,
    async post(tx, mail) {
      const task: SendTask = { id: mail.id, sealed: secret.seal(PURPOSE, JSON.stringify(mail)) }
      await tasks.enqueue(tx, SEND_TASK, task, { singletonKey: mail.id })
    },
  }
}

/** The part behind the @ of `Name <name@host>` or `name@host`. */
const domainOf = (from: string): string => /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
