import type { Channel, ChannelDelivery } from '@pegasus/contracts/channels/channels'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { aRemote } from '../servers/remote-server.ts'
import { type Calls, callsOf } from './api-calls.ts'
import { type TestApp, buildTestApp } from './build-test-app.ts'
import { aMovement, anItem } from './stock-factories.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
}

/**
 * Starts a receiver, and an app that may reach it. The receiver responds with `next`, and never responds to a path
 * below `/silent`. `reach` returns the address at which the app reaches the receiver, for example through a proxy.
 */
export async function aReceiver(
  variables: Record<string, string> = {},
  reach: (url: string) => Promise<string> = (url) => Promise.resolve(url),
) {
  const received: Received[] = []
  const next: { status: number; headers?: Record<string, string>; body?: string } = { status: 200 }
  const remote = await aRemote((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, text: body })
      if (request.url?.startsWith('/silent')) return
      response.writeHead(next.status, next.headers)
      response.end(next.body)
    })
  })
  const url = await reach(remote.url)
  const app = await buildTestApp({
    variables: {
      URL_IMPORT_ALLOW: new URL(url).host,
      PUBLIC_URL: 'https://ops.example',
      ...variables,
    },
  })
  // Use a new session for each call, because the tests advance the clock by days.
  const admin: Calls = async (...call) => callsOf(app, await app.as('admin'))(...call)
  const add = async (channel: object = {}): Promise<Channel> => {
    const answer = await admin('POST /api/channels', {
      kind: 'webhook',
      name: 'Our script',
      address: `${url}/hook?x=1`,
      events: ['low_stock'],
      ...channel,
    })
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
    return answer.json<Channel>()
  }
  const log = async ({ id }: Channel): Promise<ChannelDelivery[]> =>
    (await admin(`GET /api/channels/${id}/deliveries`)).json<ChannelDelivery[]>()
  const keyOf = async ({ id }: Channel): Promise<string> =>
    (await admin(`GET /api/channels/${id}/key`)).json<{ signing_key: string }>().signing_key
  return { app, admin, add, log, keyOf, received, next, url }
}

/** Makes an item fall to its reorder point, and sends all due deliveries. */
export async function causeLowStock(app: TestApp, name = 'Wall hook'): Promise<string> {
  const itemId = await anItem(app, { name, quantity: 6, reorder_point: 5 })
  await aMovement(app, { itemId, kind: 'adjust', delta: -1 })
  await app.alerts.run()
  await app.channels.run()
  return itemId
}
