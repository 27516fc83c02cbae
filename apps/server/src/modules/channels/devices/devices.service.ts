import type { ChannelDelivery } from '@pegasus/contracts/channels/channels'
import {
  type AddPushDeviceBody,
  MAX_PUSH_DEVICES,
  type PushDevice,
  type UpdatePushDeviceBody,
} from '@pegasus/contracts/channels/push-devices'
import { createECDH } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { type Page, type PageRequest, toPage } from '../../../platform/http/paging.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { nameDevice } from '../../auth/index.ts'
import type { ChannelEvent } from '../channel-event.ts'
import {
  type NewDelivery,
  type Recipient,
  countDeliveries,
  findDelivery,
  insertDeliveries,
  insertTest,
  listDeliveries,
  replay,
} from '../deliveries.queries.ts'
import { presentDelivery } from '../deliveries.service.ts'
import type { DeliverySender } from '../send-deliveries.ts'
import { type DeviceSecrets, endpointHashOf } from './device-secrets.ts'
import {
  type DeviceDelivery,
  type DeviceRow,
  countDevices,
  deleteDevice,
  deleteDeviceOfSession,
  findByEndpoint,
  findDevice,
  listDevices,
  listDevicesOf,
  lockDevice,
  lockDevicesOf,
  saveDevice,
  saveQuietHours,
  toSend,
} from './devices.queries.ts'

type Caller = Pick<UserPrincipal, 'accountId' | 'sessionId'>

/** The caller's own devices, which show notifications. A device of another person counts as unknown. */
export interface Devices {
  list(caller: Caller, page: PageRequest): Promise<Page<PushDevice>>
  /** Returns a device. Throws PUSH_DEVICE_NOT_FOUND. */
  get(caller: Caller, id: string): Promise<PushDevice>
  /**
   * Adds the browser of the caller's session, or replaces the address of this browser. A browser that belonged to
   * another account now belongs to the caller. Throws PUSH_ADDRESS_REFUSED, TOO_MANY_PUSH_DEVICES or INVALID_INPUT.
   */
  add(caller: Caller, body: AddPushDeviceBody, by: AuditContext): Promise<PushDevice>
  /** Changes the quiet hours of a device. Throws PUSH_DEVICE_NOT_FOUND or PRECONDITION_FAILED. */
  update(caller: Caller, id: string, body: UpdatePushDeviceBody, revision: number | null): Promise<PushDevice>
  /** Removes a device. Throws PUSH_DEVICE_NOT_FOUND. */
  remove(caller: Caller, id: string, by: AuditContext): Promise<void>
  /** Lists the deliveries to a device, page by page. Throws PUSH_DEVICE_NOT_FOUND. */
  deliveries(caller: Caller, id: string, page: PageRequest): Promise<Page<ChannelDelivery>>
  /**
   * Sends a test message now, and returns its delivery. Throws PUSH_DEVICE_NOT_FOUND, also if the push service says
   * that the browser has unsubscribed.
   */
  test(caller: Caller, id: string): Promise<ChannelDelivery>
  /** Makes a finished delivery due again. Throws PUSH_DEVICE_NOT_FOUND or DELIVERY_NOT_FOUND. */
  replay(caller: Caller, id: string, deliveryId: string): Promise<ChannelDelivery>
}

/**
 * Stores deliveries for the devices of people who want these events, in the transaction that creates the events. Each
 * delivery is sent afterwards, at least once.
 */
export async function deliverToDevices(
  tx: Queryable,
  events: readonly ChannelEvent[],
  listeners: readonly { account_id: string; kind: ChannelEvent['kind'] }[],
): Promise<void> {
  const [first] = events
  if (!first || listeners.length === 0) return
  const accountIds = [...new Set(listeners.map(({ account_id: id }) => id))]
  const devices = await listDevicesOf(tx, accountIds, new Date(first.at))
  if (devices.length === 0) return
  const wanted = new Set(listeners.map(({ account_id: id, kind }) => `${id} ${kind}`))
  const deliveries = events.flatMap((event) =>
    devices
      .filter(({ account_id: accountId }) => wanted.has(`${accountId} ${event.kind}`))
      .map(({ id }) => newDelivery(id, event)),
  )
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries)
}

const newDelivery = (deviceId: string, event: ChannelEvent): NewDelivery => ({
  id: uuidv7(),
  device_id: deviceId,
  event: event.kind,
  content: event,
  created_at: event.at,
})

const toDevice = (id: string): Recipient => ({ kind: 'device', id })

const present = (
  { session_id: sessionId, user_agent: userAgent, ...row }: DeviceRow,
  caller: Caller,
): PushDevice => ({ ...row, device: nameDevice(userAgent), is_current: sessionId === caller.sessionId })

/** Throws INVALID_INPUT if a public key of the right length is not a point on the curve. */
function assertOnCurve(p256dh: string): void {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  try {
    curve.computeSecret(Buffer.from(p256dh, 'base64url'))
  } catch (cause) {
    const errors = [{ path: 'keys.p256dh', message: 'p256dh is not a public key' }]
    throw new AppError('INVALID_INPUT', { cause, errors })
  }
}

export function createDevices(deps: {
  database: Database
  clock: Clock
  secrets: DeviceSecrets
  publicUrl: string
  /** Throws if the server must not call this address. */
  checkAddress: (address: string) => Promise<void>
  sender: DeliverySender<DeviceDelivery>
}): Devices {
  const { database, clock, secrets, publicUrl, checkAddress, sender } = deps
  const { sql } = database

  const ownerOf = ({ accountId }: Caller) => ({ accountId, now: clock.now() })
  const get = async (tx: Queryable, caller: Caller, id: string): Promise<PushDevice> =>
    present(orThrow(await findDevice(tx, ownerOf(caller), id), 'PUSH_DEVICE_NOT_FOUND'), caller)

  const record = (
    tx: Queryable,
    action: AuditEvent['action'],
    { id, device }: PushDevice,
    by: AuditContext,
  ) => writeAudit(tx, { action, entity: 'push_device', entityId: id, entityName: device }, by)

  /**
   * Returns the id of the browser's device if it belongs to the caller. If it belongs to another account, removes it
   * and returns null.
   */
  const takeOver = async (tx: Queryable, caller: Caller, endpointHash: string): Promise<string | null> => {
    const existing = await findByEndpoint(tx, endpointHash)
    if (!existing) return null
    if (existing.account_id === caller.accountId) return existing.id
    await deleteDevice(tx, existing.id)
    return null
  }

  return {
    async list(caller, page) {
      const found = await listDevices(sql, ownerOf(caller), page)
      return { ...found, items: found.items.map((row) => present(row, caller)) }
    },

    get: (caller, id) => get(sql, caller, id),

    async add(caller, { endpoint, keys }, by) {
      assertOnCurve(keys.p256dh)
      try {
        await checkAddress(endpoint)
      } catch (cause) {
        throw new AppError('PUSH_ADDRESS_REFUSED', { cause })
      }
      return database.transaction(async (tx) => {
        const { accountId, sessionId } = caller
        await lockDevicesOf(tx, accountId)
        const endpointHash = endpointHashOf(endpoint)
        const known = await takeOver(tx, caller, endpointHash)
        await deleteDeviceOfSession(tx, sessionId, known)
        if (!known && (await countDevices(tx, ownerOf(caller))) >= MAX_PUSH_DEVICES)
          throw new AppError('TOO_MANY_PUSH_DEVICES')
        const id = known ?? uuidv7()
        const sealed = secrets.seal(id, { endpoint, keys })
        await saveDevice(tx, { id, sessionId, endpointHash, sealed, now: by.now })
        const device = await get(tx, caller, id)
        if (!known) await record(tx, 'push_device.added', device, by)
        return device
      })
    },

    update: (caller, id, { quiet_hours: quiet }, revision) =>
      database.transaction(async (tx) => {
        await lockDevice(tx, id)
        const before = await get(tx, caller, id)
        assertRevision(revision, before, () => before)
        await saveQuietHours(tx, id, quiet, clock.now())
        return get(tx, caller, id)
      }),

    remove: (caller, id, by) =>
      database.transaction(async (tx) => {
        const device = await get(tx, caller, id)
        if (await deleteDevice(tx, id)) await record(tx, 'push_device.removed', device, by)
      }),

    async deliveries(caller, id, page) {
      await get(sql, caller, id)
      const [rows, total] = await Promise.all([
        listDeliveries(sql, toDevice(id), { ...page, state: undefined }),
        countDeliveries(sql, toDevice(id), undefined),
      ])
      return toPage(rows.map(presentDelivery), page.limit, total)
    },

    async test(caller, id) {
      const { device } = await get(sql, caller, id)
      const delivery = newDelivery(id, {
        kind: 'test',
        at: clock.now().toISOString(),
        headline: 'Test',
        title: device,
        sentence: 'Notifications work on this device.',
        url: new URL('/', publicUrl).href,
        entity_id: id,
        facts: {},
      })
      await sender.sendOnce(
        await database.transaction(async (tx) => toSend(tx, id, await insertTest(tx, delivery))),
      )
      return presentDelivery(
        orThrow(await findDelivery(sql, toDevice(id), delivery.id), 'PUSH_DEVICE_NOT_FOUND'),
      )
    },

    replay: (caller, id, deliveryId) =>
      database.transaction(async (tx) => {
        await get(tx, caller, id)
        await replay(tx, { recipient: toDevice(id), id: deliveryId, now: clock.now() })
        return presentDelivery(
          orThrow(await findDelivery(tx, toDevice(id), deliveryId), 'DELIVERY_NOT_FOUND'),
        )
      }),
  }
}
