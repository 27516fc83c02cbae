import { SYSTEM_ACTOR } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { writeAudit } from '../audit/index.ts'
import type { ChannelSecrets } from './channel-keys.ts'
import { channelRequest } from './channel-requests.ts'
import { type SealedChannel, disableChannel } from './channels.queries.ts'
import {
  type ClaimedDelivery,
  type DueRecipient,
  claimDue,
  claimedColumns,
  failWaiting,
  isDue,
} from './deliveries.queries.ts'
import type { Recipients } from './send-deliveries.ts'

const GONE = 410
const GONE_REASON = 'The receiver no longer exists (410 Gone).'

/** A delivery to a channel that this process is about to send. */
export interface ChannelDeliveryToSend extends ClaimedDelivery, Omit<SealedChannel, 'id'> {
  channel_id: string
}

const sealedColumns = (sql: Queryable) => sql`
  c.id as channel_id, c.kind, c.address_sealed, c.key_sealed, c.old_key_sealed, c.old_key_until`

/** Returns a test delivery together with the address and the keys of its channel. */
export async function toSend(
  tx: Queryable,
  channelId: string,
  test: ClaimedDelivery,
): Promise<ChannelDeliveryToSend> {
  const [row] = await tx<[Omit<ChannelDeliveryToSend, keyof ClaimedDelivery>]>`
    select ${sealedColumns(tx)} from channels c where c.id = ${channelId}`
  return { ...test, ...row }
}

/** Returns channels as a kind of recipient for the sender of deliveries. */
export function channelRecipients({
  database: { sql },
  clock,
  secrets,
}: {
  database: Database
  clock: Clock
  secrets: ChannelSecrets
}): Recipients<ChannelDeliveryToSend> {
  const keysOf = (delivery: ChannelDeliveryToSend): string[] => {
    const { channel_id: id, key_sealed: key, old_key_sealed: old, old_key_until: until } = delivery
    const isOldInForce = old !== null && until !== null && new Date(until) > clock.now()
    return [key, isOldInForce ? old : null]
      .filter((text) => text !== null)
      .map((text) => secrets.open(id, text))
  }

  return {
    listDue: (now) =>
      sql<DueRecipient[]>`
        select id, quiet_from, quiet_until, time_zone from channels
        where is_enabled
          and exists (select from channel_deliveries d where d.channel_id = channels.id and ${isDue(sql, now)})`,

    claim: (id, range) =>
      sql<ChannelDeliveryToSend[]>`
        ${claimDue(sql, { kind: 'channel', id }, range)}
        from channels c
        where c.id = d.channel_id and c.is_enabled and d.id in (select id from due)
        returning ${claimedColumns(sql)}, ${sealedColumns(sql)}`,

    async requestFor(delivery) {
      const { id, channel_id: channelId, kind, content } = delivery
      return channelRequest(
        { kind, address: secrets.open(channelId, delivery.address_sealed), keys: keysOf(delivery) },
        { id, event: content, now: clock.now() },
      )
    },

    unreadable: 'The address or the key cannot be read. Enter both again.',
    gone: [GONE],

    /** Disables the channel, and records this in the audit. */
    async switchOff(tx, { channel_id: channelId }, now) {
      const channel = await disableChannel(tx, channelId, GONE_REASON, now)
      if (!channel) return
      await failWaiting(tx, channelId, now)
      const subject = { entity: 'channel', entityId: channelId, entityName: channel.name } as const
      const sides = { before: { is_enabled: true }, after: { is_enabled: false, reason: GONE_REASON } }
      await writeAudit(tx, { action: 'channel.updated', ...subject, ...sides }, { actor: SYSTEM_ACTOR, now })
    },
  }
}
