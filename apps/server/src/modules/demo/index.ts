import { enterDemo, getDemo, leaveDemo, makeDemo, removeDemo } from '@pegasus/contracts/demo'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { type Demo, type DemoDeps, createDemo } from './demo.service.ts'

export type { Demo, DemoShops } from './demo.service.ts'

/** Adds the demo, in which people can try everything without changing the shop. */
export function addDemo(endpoints: Endpoints, deps: DemoDeps): Demo {
  const demo = createDemo(deps)
  endpoints.add(getDemo, () => demo.read())
  endpoints.add(makeDemo, ({ audit }) => demo.make(audit))
  endpoints.add(removeDemo, ({ audit }) => demo.remove(audit))
  endpoints.add(enterDemo, async ({ user, request, reply }) => {
    const device = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' }
    const { session, cookie } = await demo.enter(user, device)
    reply.headers({ 'set-cookie': cookie, 'cache-control': 'no-store' })
    return session
  })
  endpoints.add(leaveDemo, async ({ reply }) => {
    reply.header('set-cookie', demo.leave())
  })
  return demo
}
