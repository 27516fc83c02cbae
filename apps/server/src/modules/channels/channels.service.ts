import {
  type Channel,
  type CreateChannelBody,
  MAX_CHANNELS,
  OLD_KEY_HOURS,
  type UpdateChannelBody,
} from '@pegasus/contracts/channels/channels'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../platform/actor.ts'
import { type Clock, HOUR_MS, addMs } from '../../platform/clock.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { AppError, orThrow } from '../../platform/errors/app-error.ts'
import { assertRevision } from '../../platform/errors/assert-revision.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../platform/http/idempotency.ts'
import { type Page, type PageRequest, toPage } from '../../platform/http/paging.ts'
import { type AuditEvent, writeAudit } from '../audit/index.ts'
import { type ChannelSecrets, makeSigningKey } from './channel-keys.ts'
import { topicOf } from './channel-requests.ts'
import {
  type ChannelRow,
  type ChannelValues,
  type SealedChannel,
  countChannels,
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels,
  lockChannel,
  lockChannels,
  replaceKey,
  updateChannel,
} from './channels.queries.ts'
import { failWaiting } from './deliveries.queries.ts'

export interface Channels {
  list(page: PageRequest): Promise<Page<Channel>>
  /** Returns a channel. Throws CHANNEL_NOT_FOUND. */
  get(id: string): Promise<Channel>
  /**
   * Adds a channel. Throws CHANNEL_ADDRESS_REFUSED for an address that the server must not call. Throws
   * CHANNEL_WITHOUT_TOPIC, TOO_MANY_CHANNELS or IDEMPOTENCY_KEY_REUSED.
   */
  create(body: CreateChannelBody, by: IdempotentCaller): Promise<HttpResult<Channel>>
  /**
   * Changes a channel. `revision` comes from `If-Match`. If the new address is on another server, also removes the
   * access token, because it belongs to the old server. Throws CHANNEL_NOT_FOUND, CHANNEL_ADDRESS_REFUSED,
   * CHANNEL_WITHOUT_TOPIC or PRECONDITION_FAILED.
   */
  update(id: string, body: UpdateChannelBody, revision: number | null, by: AuditContext): Promise<Channel>
  /** Deletes a channel. Throws CHANNEL_NOT_FOUND. */
  remove(id: string, by: AuditContext): Promise<void>
  /**
   * Returns the signing key of a webhook. Throws CHANNEL_NOT_FOUND. Throws CHANNEL_WITHOUT_KEY for other kinds of
   * channels.
   */
  getKey(id: string): Promise<{ signing_key: string }>
  /** Replaces the signing key of a webhook. Throws the errors of `getKey`. */
  rotateKey(id: string, by: AuditContext): Promise<{ signing_key: string }>
}

interface Deps {
  database: Database
  clock: Clock
  secrets: ChannelSecrets
  /** Throws if the server must not call this address. */
  checkAddress: (address: string) => Promise<void>
}

/**
 * Returns the origin of an address, followed by `/…`. The rest stays hidden, because in the address of a chat it works
 * like a password.
 */
const shownPartOf = (address: string): string => `${new URL(address).origin}/…`

const audited = ({ name, kind, shown_address, events, is_enabled, quiet_hours }: ChannelRow) => ({
  name,
  kind,
  shown_address,
  events,
  is_enabled,
  quiet_hours,
})

export function createChannels({ database, clock, secrets, checkAddress }: Deps): Channels {
  const { sql } = database

  const assertReachable = async (address: string): Promise<void> => {
    try {
      await checkAddress(address)
    } catch (cause) {
      throw new AppError('CHANNEL_ADDRESS_REFUSED', { cause })
    }
  }

  const get = async (tx: Queryable, id: string) => orThrow(await findChannel(tx, id), 'CHANNEL_NOT_FOUND')
  const lock = async (tx: Queryable, id: string) => orThrow(await lockChannel(tx, id), 'CHANNEL_NOT_FOUND')

  /** Writes an audit entry about a channel. `marks` contains the names of changed secret values. */
  const record = (
    tx: Queryable,
    action: AuditEvent['action'],
    { before, after, marks }: { before?: ChannelRow; after?: ChannelRow; marks?: Record<string, true> },
    by: AuditContext,
  ) => {
    const row = (after ?? before) as ChannelRow
    const sides = {
      ...(before && { before: audited(before) }),
      ...(after && { after: { ...audited(after), ...marks } }),
    }
    return writeAudit(tx, { action, entity: 'channel', entityId: row.id, entityName: row.name, ...sides }, by)
  }

  const assertTopic = (kind: Channel['kind'], address: string | undefined): void => {
    if (kind === 'ntfy' && address !== undefined && topicOf(address) === null)
      throw new AppError('CHANNEL_WITHOUT_TOPIC')
  }

  /** Returns the encrypted access token for ntfy after a change of the channel. */
  const sealToken = (id: string, token: string | undefined, before: string | null): string | null => {
    if (token === undefined) return before
    return token === '' ? null : secrets.seal(id, token)
  }

  const insert = async (tx: Queryable, body: CreateChannelBody, by: AuditContext): Promise<Channel> => {
    await lockChannels(tx)
    if ((await countChannels(tx)) >= MAX_CHANNELS) throw new AppError('TOO_MANY_CHANNELS')
    const id = uuidv7()
    const { kind, name, address, events, quiet_hours: quiet } = body
    await insertChannel(tx, {
      id,
      kind,
      name,
      address_sealed: secrets.seal(id, address),
      shown_address: shownPartOf(address),
      key_sealed:
        kind === 'webhook'
          ? secrets.seal(id, makeSigningKey())
          : sealToken(id, kind === 'ntfy' ? body.access_token : undefined, null),
      events: [...new Set(events)],
      is_enabled: true,
      quiet_from: quiet?.from ?? null,
      quiet_until: quiet?.until ?? null,
      time_zone: quiet?.time_zone ?? 'UTC',
      now: by.now,
    })
    const after = await get(tx, id)
    await record(tx, 'channel.created', { after }, by)
    return after
  }

  const valuesOf = (before: ChannelRow, sealed: SealedChannel, body: UpdateChannelBody): ChannelValues => {
    const { id, kind } = before
    const isElsewhere = body.address !== undefined && shownPartOf(body.address) !== before.shown_address
    const quiet = body.quiet_hours === undefined ? before.quiet_hours : body.quiet_hours
    return {
      name: body.name ?? before.name,
      address_sealed: body.address === undefined ? sealed.address_sealed : secrets.seal(id, body.address),
      shown_address: body.address === undefined ? before.shown_address : shownPartOf(body.address),
      key_sealed:
        kind === 'ntfy'
          ? sealToken(id, body.access_token, isElsewhere ? null : sealed.key_sealed)
          : sealed.key_sealed,
      events: body.events ? [...new Set(body.events)] : before.events,
      is_enabled: body.is_enabled ?? before.is_enabled,
      quiet_from: quiet?.from ?? null,
      quiet_until: quiet?.until ?? null,
      time_zone: quiet?.time_zone ?? 'UTC',
    }
  }

  /**
   * Returns the names of the secret values that a change replaces. The audit lists them without their values, so that
   * it shows when events begin to go to another address.
   */
  const marksOf = (
    { id, address_sealed: address, key_sealed: key }: SealedChannel,
    body: UpdateChannelBody,
    after: ChannelValues,
  ): Record<string, true> => ({
    ...(body.address !== undefined &&
      secrets.open(id, address) !== body.address && { address_replaced: true }),
    ...(after.key_sealed !== key && { access_replaced: true }),
  })

  const keyOf = ({ id, kind, key_sealed: sealed }: SealedChannel): string => {
    if (kind !== 'webhook' || sealed === null) throw new AppError('CHANNEL_WITHOUT_KEY')
    return secrets.open(id, sealed)
  }

  return {
    async list(page) {
      const [rows, total] = await Promise.all([listChannels(sql, page), countChannels(sql)])
      return toPage([...rows], page.limit, total)
    },

    get: (id) => get(sql, id),

    async create(body, by) {
      assertTopic(body.kind, body.address)
      await assertReachable(body.address)
      return writeOnce({ database, clock }, by, ['channels', body], async (tx) => ({
        status: 201,
        body: await insert(tx, body, by.audit),
      }))
    },

    async update(id, body, revision, by) {
      if (body.address !== undefined) await assertReachable(body.address)
      return database.transaction(async (tx) => {
        const sealed = await lock(tx, id)
        const before = await get(tx, id)
        assertRevision(revision, before, () => before)
        assertTopic(before.kind, body.address)
        const values = valuesOf(before, sealed, body)
        await updateChannel(tx, id, values, by.now)
        if (!values.is_enabled) await failWaiting(tx, id, by.now)
        const after = await get(tx, id)
        const marks = marksOf(sealed, body, values)
        await record(tx, 'channel.updated', { before, after, marks }, by)
        return after
      })
    },

    remove: (id, by) =>
      database.transaction(async (tx) => {
        await lock(tx, id)
        const before = await get(tx, id)
        await deleteChannel(tx, id)
        await record(tx, 'channel.deleted', { before }, by)
      }),

    getKey: (id) => database.transaction(async (tx) => ({ signing_key: keyOf(await lock(tx, id)) })),

    rotateKey: (id, by) =>
      database.transaction(async (tx) => {
        keyOf(await lock(tx, id))
        const before = await get(tx, id)
        const key = makeSigningKey()
        const oldUntil = addMs(by.now, OLD_KEY_HOURS * HOUR_MS)
        await replaceKey(tx, id, { sealed: secrets.seal(id, key), oldUntil, now: by.now })
        await record(tx, 'channel.key_rotated', { before, after: before }, by)
        return { signing_key: key }
      }),
  }
}
