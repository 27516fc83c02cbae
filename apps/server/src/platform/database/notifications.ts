import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'
import type { ServiceLog } from '../log/service-log.ts'
import { Identifier } from './sql.ts'

export interface Listener {
  close(): Promise<void>
}

interface Subscription {
  onNotification: (payload: string) => void
  onListening: (() => void) | undefined
}

const FIRST_PAUSE_MS = 50
// The maximum pause between two attempts to connect. It is short, so that the server recovers soon after an outage.
const MAX_PAUSE_MS = 2000

/**
 * Receives the notifications of all channels on one dedicated connection. When this connection is lost, opens
 * another.
 */
export class Notifications {
  readonly #connect: () => Promise<Client>
  readonly #log: ServiceLog
  readonly #channels = new Map<string, Set<Subscription>>()
  readonly #stopped = new AbortController()
  #client: Promise<Client> | null = null

  constructor(connect: () => Promise<Client>, log: ServiceLog) {
    this.#connect = connect
    this.#log = log
  }

  /**
   * Listens from now on. `onListening` runs at once and after each outage, because notifications may have
   * been lost.
   */
  async listen(
    channel: string,
    onNotification: (payload: string) => void,
    onListening?: () => void,
  ): Promise<Listener> {
    const client = await this.#current()
    const subscription = { onNotification, onListening }
    const subscriptions = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, subscriptions.add(subscription))
    try {
      await listenTo(client, channel)
    } catch (error) {
      subscriptions.delete(subscription)
      throw error
    }
    onListening?.()
    return {
      close: async () => {
        subscriptions.delete(subscription)
        if (subscriptions.size > 0 || this.#channels.get(channel) !== subscriptions) return
        this.#channels.delete(channel)
        const current = await this.#client?.catch(() => null)
        // If the connection is lost, its subscriptions are gone, and the error does not matter.
        await current?.query(`unlisten ${new Identifier(channel).text}`).catch(() => undefined)
      },
    }
  }

  /** Stops reopening lost connections. The caller closes the connection that is open. */
  stop(): void {
    this.#stopped.abort()
  }

  async #current(): Promise<Client> {
    this.#client ??= this.#open()
    try {
      return await this.#client
    } catch (error) {
      this.#client = null
      throw error
    }
  }

  async #open(): Promise<Client> {
    const client = await this.#connect()
    client.on('notification', ({ channel, payload }) => {
      for (const { onNotification } of this.#channels.get(channel) ?? []) onNotification(payload ?? '')
    })
    for (const channel of this.#channels.keys()) await listenTo(client, channel)
    client.once('end', () => {
      if (this.#stopped.signal.aborted) return
      this.#client = this.#reopen()
      // Reopening fails only after `stop`, when nobody waits for the connection anymore.
      this.#client.catch(() => undefined)
    })
    return client
  }

  async #reopen(): Promise<Client> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      await wait(pauseMs, undefined, { signal: this.#stopped.signal })
      try {
        const client = await this.#open()
        for (const subscriptions of this.#channels.values())
          for (const { onListening } of subscriptions) onListening?.()
        return client
      } catch (error) {
        this.#log.debug({ error }, 'cannot listen to the database yet')
      }
    }
  }
}

const listenTo = (client: Client, channel: string) => client.query(`listen ${new Identifier(channel).text}`)
