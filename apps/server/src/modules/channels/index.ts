import {
  createChannel,
  deleteChannel,
  getChannel,
  getChannelKey,
  listChannelDeliveries,
  listChannels,
  replayDelivery,
  replayFailedDeliveries,
  rotateChannelKey,
  testChannel,
  updateChannel,
} from '@pegasus/contracts/channels/channels'
import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { requiredRevisionIn } from '../../platform/http/etag.ts'
import { pageRequestOf } from '../../platform/http/paging.ts'
import type { SafeCaller } from '../../platform/outbound/safe-call.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { channelRecipients } from './channel-recipients.ts'
import { createChannelSecrets } from './channel-keys.ts'
import { createChannels } from './channels.service.ts'
import { createDeliveries } from './deliveries.service.ts'
import { deviceRecipients } from './devices/device-recipients.ts'
import { createDeviceSecrets } from './devices/device-secrets.ts'
import { addDeviceRoutes } from './devices/devices.routes.ts'
import { createDevices } from './devices/devices.service.ts'
import { createPushKeys } from './devices/push-keys.ts'
import { createDeliverySender } from './send-deliveries.ts'

export type { ChannelEvent } from './channel-event.ts'
export { deliverToChannels } from './deliveries.service.ts'
export { deliverToDevices } from './devices/devices.service.ts'

const LOOK_FOR_DELIVERIES_MS = 2 * SECOND_MS

interface ChannelsModule {
  /** Sends due deliveries. */
  sender: Poller
  /** Deletes deliveries older than 30 days. Runs every hour. */
  purge(): Promise<void>
}

/**
 * Adds channels and the devices of people. Channels are webhooks, chats and push services that get the same events as
 * people.
 */
export function addChannels(
  endpoints: Endpoints,
  deps: {
    database: Database
    clock: Clock
    secret: RootSecret
    /** Calls addresses that people enter. */
    outbound: SafeCaller
    publicUrl: string
    log: ServiceLog
  },
): ChannelsModule {
  const { outbound, ...rest } = deps
  const secrets = createChannelSecrets(deps.secret)
  const sender = createDeliverySender(
    { ...rest, call: outbound.call },
    channelRecipients({ ...rest, secrets }),
  )
  const channels = createChannels({ ...rest, secrets, checkAddress: outbound.check })
  const deliveries = createDeliveries({ ...rest, sender })

  const keys = createPushKeys(deps)
  const deviceSecrets = createDeviceSecrets(deps.secret)
  const deviceSender = createDeliverySender(
    { ...rest, call: outbound.call },
    deviceRecipients({ ...rest, secrets: deviceSecrets, keys }),
  )
  const devices = createDevices({
    ...rest,
    secrets: deviceSecrets,
    checkAddress: outbound.check,
    sender: deviceSender,
  })
  addDeviceRoutes(endpoints, { devices, keys })

  endpoints.add(listChannels, ({ query }) => channels.list(pageRequestOf(query)))
  endpoints.add(getChannel, ({ params }) => channels.get(params.id))
  endpoints.add(createChannel, async ({ body, caller }) => (await channels.create(body, caller)).body)
  endpoints.add(updateChannel, ({ params, body, request, audit }) =>
    channels.update(params.id, body, requiredRevisionIn(request), audit),
  )
  endpoints.add(deleteChannel, ({ params, audit }) => channels.remove(params.id, audit))
  endpoints.add(getChannelKey, ({ params }) => channels.getKey(params.id))
  endpoints.add(rotateChannelKey, ({ params, audit }) => channels.rotateKey(params.id, audit))
  endpoints.add(listChannelDeliveries, ({ params, query }) =>
    deliveries.list(params.id, { ...pageRequestOf(query), state: query.state }),
  )
  endpoints.add(testChannel, ({ params, audit }) => deliveries.test(params.id, audit))
  endpoints.add(replayDelivery, ({ params, audit }) =>
    deliveries.replay(params.id, params.delivery_id, audit),
  )
  endpoints.add(replayFailedDeliveries, ({ params, audit }) => deliveries.replayFailed(params.id, audit))

  return {
    sender: createPoller({
      name: 'deliveries to channels and devices',
      pauseMs: LOOK_FOR_DELIVERIES_MS,
      async work() {
        const ended = await Promise.allSettled([sender.sendDue(), deviceSender.sendDue()])
        for (const each of ended) if (each.status === 'rejected') throw each.reason
      },
      log: deps.log,
    }),
    purge: () => deliveries.purge(),
  }
}
