import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { buildTestApp } from '../support/build-test-app.ts'

/** The longest time, in seconds, for which load balancers of cloud providers keep an idle connection open. */
const LONGEST_OF_PROXIES_S = 600

it('the server keeps an idle connection open for longer than the proxy in front of it does', async () => {
  const { http } = await buildTestApp()
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/healthz`)
  const [, seconds] = /^timeout=(\d+)$/.exec(response.headers.get('keep-alive') ?? '') ?? []
  expect(Number(seconds)).toBeGreaterThan(LONGEST_OF_PROXIES_S)
})
