import { type Clock, DAY_MS, addMs } from '../clock.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { RootSecret } from '../root-secret.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Undelivered } from './mail.ts'

const REMEMBERED_MS = 7 * DAY_MS
const FAILURE_MAX_LENGTH = 500

interface SendTask {
  id: string
  /**
   * The whole message, encrypted. The queue is a database table, and a message can contain a sign-in link or a code.
   */
  sealed: string
  /**
   * The time when the message was queued, as RFC 3339. It is missing in emails that an earlier version
   * queued.
   */
  postedAt?: string
}

export interface DeliveryDeps {
  database: Database
  tasks: Tasks
  secret: RootSecret
  clock: Clock
}

interface DeliveryRules<M> {
  taskName: string
  /** The name of the key that encrypts the messages (see `RootSecret`). */
  purpose: string
  deadlineSeconds: number
  retryLimit: number
  /** Sends the message. If a message is sent twice with the same id, it must be delivered only once. */
  send(message: M): Promise<void>
  /** Whether the recipient's side has permanently refused this message, so that a retry is pointless. */
  isRefusal(error: unknown): boolean
  /** The text that the log shows for a refusal. */
  refusalText: string
  /** Stores a message that could not be sent, for administrators. May be called twice for the same message. */
  keep(sql: Queryable, message: M, failed: Undelivered): Promise<void>
  /** Removes a stored message, so that it can be sent after all. Returns false if it is no longer there. */
  takeBack(tx: Queryable, id: string): Promise<boolean>
}

/** Queues a message in the caller's transaction. The message is sent if and only if the transaction commits. */
export type QueueMessage<M> = (tx: Queryable, message: M) => Promise<void>

/**
 * Creates a queue that sends messages in a background task. If the other server is unreachable, messages are delayed
 * but not lost. A message that is refused, or still not accepted after the last attempt, is stored for administrators.
 */
export function createDeliveryQueue<M extends { id: string }>(
  { database, tasks, secret, clock }: DeliveryDeps,
  rules: DeliveryRules<M>,
): QueueMessage<M> {
  const { taskName, purpose } = rules

  const open = ({ sealed }: SendTask): M => JSON.parse(secret.open(purpose, sealed).toString('utf8')) as M

  const postedAtOf = ({ postedAt }: SendTask): Date => (postedAt ? new Date(postedAt) : clock.now())

  const giveUp = (task: SendTask, error: unknown): Promise<void> =>
    rules.keep(database.sql, open(task), { postedAt: postedAtOf(task), failure: inOneLine(error) })

  tasks.register<SendTask>({
    name: taskName,
    deadlineSeconds: rules.deadlineSeconds,
    retryLimit: rules.retryLimit,
    concurrency: 2,
    async run(task, { log }) {
      const { id } = task
      const [earlier] = await database.sql`select id from sent_mails where id = ${id}`
      if (earlier) return
      try {
        await rules.send(open(task))
      } catch (error) {
        if (!rules.isRefusal(error)) throw error
        log.error({ err: error, mail: id }, rules.refusalText)
        return giveUp(task, error)
      }
      const now = clock.now()
      await database.sql`insert into sent_mails (id, sent_at) values (${id}, ${now}) on conflict do nothing`
      await database.sql`delete from sent_mails where sent_at < ${addMs(now, -REMEMBERED_MS)}`
    },
    onFailed: giveUp,
    reopen: async (tx, task) => ((await rules.takeBack(tx, task.id)) ? task : null),
  })

  return async (tx, message) => {
    const task: SendTask = {
      id: message.id,
      sealed: secret.seal(purpose, JSON.stringify(message)),
      postedAt: clock.now().toISOString(),
    }
    await tasks.enqueue(tx, taskName, task, { singletonKey: message.id })
  }
}

const inOneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, FAILURE_MAX_LENGTH) || 'unknown'
