import { expect, it, onTestFinished } from 'vitest'
import { aRemote } from '../../../../test/servers/remote-server.ts'
import { PRINTER_KEY, simulatedPrinters } from '../../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aNetworkPrinter } from '../../../../test/support/network-printers.ts'

/** Adds a printer that refuses its key. All its visits have failed, so the next visit is a minute away. */
async function aRefusedPrinter(apiKey: string) {
  const app = await buildTestApp()
  const [printer] = await simulatedPrinters(['moonraker'])
  const id = await aNetworkPrinter(app, {
    name: 'Left',
    kind: 'moonraker',
    address: printer?.url ?? '',
    apiKey,
  })
  printer?.faults.push({ kind: 'key' })
  for (const _ of [1, 2, 3, 4]) await app.printers.run()
  const state = async () => (await app.database.sql`select state from printers where id = ${id}`)[0]
  expect(await state()).toEqual({ state: 'error' })
  app.printers.start()
  onTestFinished(() => app.printers.stop())
  const call = async (method: 'PUT' | 'POST', path: string, payload: object) => {
    const headers = { ...(await app.as('admin')), 'if-match': '*' }
    const answer = await app.http.inject({ method, url: `/api/printers/${id}${path}`, headers, payload })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  printer?.faults.splice(0)
  const isSeen = async () =>
    (await app.database.sql`select seen_at is not null as is_seen from printers where id = ${id}`)[0]
  return { state, isSeen, call }
}

it('a printer is visited at once after an admin has entered another key', async () => {
  const { state, call } = await aRefusedPrinter('wrong')
  await call('PUT', '', { api_key: PRINTER_KEY })
  await expect.poll(state).toEqual({ state: 'available' })
})

it('a printer is visited at once after a test of its connection has succeeded', async () => {
  const { state, call } = await aRefusedPrinter(PRINTER_KEY)
  await call('POST', '/test', {})
  await expect.poll(state).toEqual({ state: 'available' })
})

it('a printer is visited at once after a person has put it back into use', async () => {
  const { isSeen, call } = await aRefusedPrinter(PRINTER_KEY)
  expect(await isSeen()).toEqual({ is_seen: false })
  await call('POST', '/resume', {})
  await expect.poll(isSeen).toEqual({ is_seen: true })
})

it('an answer that arrives after an admin has changed the address is not the answer of the new machine', async () => {
  const app = await buildTestApp()
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const remote = await aRemote((_, response) => {
    asked.resolve()
    void answered.promise.then(() => response.end('garbage'))
  })
  const [other] = await simulatedPrinters(['moonraker'])
  const id = await aNetworkPrinter(app, { name: 'Left', kind: 'moonraker', address: remote.url })
  const visited = app.printers.run()
  await asked.promise
  const headers = { ...(await app.as('admin')), 'if-match': '*' }
  const payload = { address: other?.url, api_key: PRINTER_KEY }
  const answer = await app.http.inject({ method: 'PUT', url: `/api/printers/${id}`, headers, payload })
  expect(answer.statusCode, answer.body).toBe(200)
  answered.resolve()
  await visited
  const read = () =>
    app.database.sql`select state, seen_at is null as is_unseen from printers where id = ${id}`
  expect(await read()).toEqual([{ state: 'available', is_unseen: true }])
  await app.printers.run()
  expect(await read()).toEqual([{ state: 'available', is_unseen: false }])
})
