import { languageOf } from '@pegasus/contracts/texts/languages'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import type { Database } from '../../../platform/database/database.ts'
import { writeAudit } from '../../audit/index.ts'
import { nameDevice } from '../../auth/index.ts'
import type { Recipients } from '../send-deliveries.ts'
import {
  type DeviceDelivery,
  claimDeviceDeliveries,
  deleteDevice,
  findDeviceName,
  listDueDevices,
} from './devices.queries.ts'
import type { DeviceSecrets } from './device-secrets.ts'
import type { PushKeys } from './push-keys.ts'

/** The HTTP statuses by which a push service says that a browser has unsubscribed. */
const GONE = [404, 410]

/**
 * Returns the address at which push services can reach the operator. They refuse an address without https, so another
 * one replaces it.
 */
const contactOf = (publicUrl: string): string => {
  const { protocol, origin, hostname } = new URL(publicUrl)
  return protocol === 'https:' ? origin : `mailto:operator@${hostname}`
}

/** Returns the devices of people as a kind of recipient for the sender of deliveries. */
export function deviceRecipients(deps: {
  database: Database
  secrets: DeviceSecrets
  keys: PushKeys
  publicUrl: string
}): Recipients<DeviceDelivery> {
  const { secrets, keys, publicUrl } = deps
  const { sql } = deps.database
  return {
    listDue: (now) => listDueDevices(sql, now),

    async claim(id, range) {
      // Read the keys before the delivery begins. If the database fails here, the delivery stays due.
      await keys.publicKey()
      return claimDeviceDeliveries(sql, id, range)
    },

    async requestFor({ device_id: id, subscription_sealed: sealed, content, metadata }) {
      const vapid = { contact: contactOf(publicUrl), ...(await keys.pair()) }
      // Import this module with the first delivery, because loading its library would slow down every start.
      const { inLanguage, pushRequest } = await import('./push-request.ts')
      return pushRequest(secrets.open(id, sealed), inLanguage(content, languageOf(metadata)), vapid)
    },

    unreadable: 'The address or the key cannot be read. Turn notifications off and on again on the device.',
    gone: GONE,

    /** Removes the device, and records this in the audit. */
    async switchOff(tx, { device_id: id }, now) {
      const device = await findDeviceName(tx, id)
      if (!device || !(await deleteDevice(tx, id))) return
      const subject = {
        entity: 'push_device',
        entityId: id,
        entityName: nameDevice(device.user_agent),
      } as const
      const after = { reason: 'The browser has unsubscribed.' }
      await writeAudit(tx, { action: 'push_device.removed', ...subject, after }, { actor: SYSTEM_ACTOR, now })
    },
  }
}
