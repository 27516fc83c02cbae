import {
  addPushDevice,
  getPushDevice,
  getPushKey,
  listPushDeliveries,
  listPushDevices,
  removePushDevice,
  replayPushDelivery,
  testPushDevice,
  updatePushDevice,
} from '@pegasus/contracts/channels/push-devices'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn } from '../../../platform/http/etag.ts'
import { pageRequestOf } from '../../../platform/http/paging.ts'
import type { Devices } from './devices.service.ts'
import type { PushKeys } from './push-keys.ts'

export function addDeviceRoutes(
  endpoints: Endpoints,
  { devices, keys }: { devices: Devices; keys: PushKeys },
): void {
  endpoints.add(getPushKey, async () => ({ public_key: await keys.publicKey() }))
  endpoints.add(listPushDevices, ({ user, query }) => devices.list(user, pageRequestOf(query)))
  endpoints.add(getPushDevice, ({ user, params }) => devices.get(user, params.id))
  endpoints.add(addPushDevice, ({ user, body, audit }) => devices.add(user, body, audit))
  endpoints.add(updatePushDevice, ({ user, params, body, request }) =>
    devices.update(user, params.id, body, requiredRevisionIn(request)),
  )
  endpoints.add(removePushDevice, ({ user, params, audit }) => devices.remove(user, params.id, audit))
  endpoints.add(listPushDeliveries, ({ user, params, query }) =>
    devices.deliveries(user, params.id, pageRequestOf(query)),
  )
  endpoints.add(testPushDevice, ({ user, params }) => devices.test(user, params.id))
  endpoints.add(replayPushDelivery, ({ user, params }) => devices.replay(user, params.id, params.delivery_id))
}
