import {
  CHANNEL_EVENT_TYPES,
  type ChannelDelivery,
  DELIVERY_RETENTION_DAYS,
} from '@pegasus/contracts/channels/channels'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../platform/actor.ts'
import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { orThrow } from '../../platform/errors/app-error.ts'
import { type Page, type PageRequest, toPage } from '../../platform/http/paging.ts'
import { writeAudit } from '../audit/index.ts'
import type { ChannelEvent } from './channel-event.ts'
import { type ChannelDeliveryToSend, toSend } from './channel-recipients.ts'
import { findChannel } from './channels.queries.ts'
import {
  type DeliveryRow,
  type Recipient,
  countDeliveries,
  deleteDeliveriesBefore,
  findDelivery,
  insertDeliveries,
  insertTest,
  listDeliveries,
  listListening,
  replay,
} from './deliveries.queries.ts'
import type { DeliverySender } from './send-deliveries.ts'

/**
 * Stores deliveries for the channels that want these events, in the transaction that creates the events. Each delivery
 * is sent afterwards, at least once.
 */
export async function deliverToChannels(tx: Queryable, events: readonly ChannelEvent[]): Promise<void> {
  const channels = await listListening(tx)
  const deliveries = events.flatMap((event) =>
    channels
      .filter((channel) => channel.events.includes(event.kind))
      .map((channel) => newDelivery(channel.id, event)),
  )
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries)
}

const toChannel = (id: string): Recipient => ({ kind: 'channel', id })

const newDelivery = (channelId: string, event: ChannelEvent) => ({
  id: uuidv7(),
  channel_id: channelId,
  event: event.kind,
  content: event,
  created_at: event.at,
})

export const presentDelivery = ({ event, ...row }: DeliveryRow): ChannelDelivery => ({
  ...row,
  type: CHANNEL_EVENT_TYPES[event],
})

export interface Deliveries {
  /** Lists the deliveries of a channel, page by page. Throws CHANNEL_NOT_FOUND. */
  list(channelId: string, page: PageRequest & { state: string | undefined }): Promise<Page<ChannelDelivery>>
  /** Sends a test message now, and returns its delivery. Throws CHANNEL_NOT_FOUND. */
  test(channelId: string, by: AuditContext): Promise<ChannelDelivery>
  /** Makes a finished delivery due again. Throws CHANNEL_NOT_FOUND or DELIVERY_NOT_FOUND. */
  replay(channelId: string, id: string, by: AuditContext): Promise<ChannelDelivery>
  /** Makes all failed deliveries due again. Throws CHANNEL_NOT_FOUND. */
  replayFailed(channelId: string, by: AuditContext): Promise<{ replayed: number }>
  /** Deletes deliveries older than 30 days. Runs every hour. */
  purge(): Promise<void>
}

export function createDeliveries(deps: {
  database: Database
  clock: Clock
  publicUrl: string
  sender: DeliverySender<ChannelDeliveryToSend>
}): Deliveries {
  const { database, clock, publicUrl, sender } = deps
  const { sql } = database

  const getChannel = async (tx: Queryable, id: string) =>
    orThrow(await findChannel(tx, id), 'CHANNEL_NOT_FOUND')
  const get = async (tx: Queryable, channelId: string, id: string) =>
    orThrow(await findDelivery(tx, toChannel(channelId), id), 'DELIVERY_NOT_FOUND')

  const recordReplay = async (tx: Queryable, channelId: string, replayed: number, by: AuditContext) => {
    const { name } = await getChannel(tx, channelId)
    const thing = { entity: 'channel', entityId: channelId, entityName: name } as const
    await writeAudit(tx, { action: 'channel.replayed', ...thing, after: { deliveries: replayed } }, by)
  }

  return {
    async list(channelId, page) {
      await getChannel(sql, channelId)
      const [rows, total] = await Promise.all([
        listDeliveries(sql, toChannel(channelId), page),
        countDeliveries(sql, toChannel(channelId), page.state),
      ])
      return toPage(rows.map(presentDelivery), page.limit, total)
    },

    async test(channelId, by) {
      const { name } = await getChannel(sql, channelId)
      const delivery = newDelivery(channelId, {
        kind: 'test',
        at: by.now.toISOString(),
        headline: 'Test',
        title: name,
        sentence: 'This channel works.',
        url: new URL('/?tab=system', publicUrl).href,
        entity_id: channelId,
        facts: {},
      })
      const claimed = await database.transaction(async (tx) => {
        await writeAudit(
          tx,
          { action: 'channel.tested', entity: 'channel', entityId: channelId, entityName: name },
          by,
        )
        return toSend(tx, channelId, await insertTest(tx, delivery))
      })
      await sender.sendOnce(claimed)
      return presentDelivery(await get(sql, channelId, delivery.id))
    },

    replay: (channelId, id, by) =>
      database.transaction(async (tx) => {
        await getChannel(tx, channelId)
        const replayed = await replay(tx, { recipient: toChannel(channelId), id, now: clock.now() })
        if (replayed > 0) await recordReplay(tx, channelId, replayed, by)
        return presentDelivery(await get(tx, channelId, id))
      }),

    replayFailed: (channelId, by) =>
      database.transaction(async (tx) => {
        await getChannel(tx, channelId)
        const replayed = await replay(tx, { recipient: toChannel(channelId), now: clock.now() })
        if (replayed > 0) await recordReplay(tx, channelId, replayed, by)
        return { replayed }
      }),

    async purge() {
      const before = addMs(clock.now(), -DELIVERY_RETENTION_DAYS * DAY_MS)
      while (await deleteDeliveriesBefore(sql, before));
    },
  }
}
