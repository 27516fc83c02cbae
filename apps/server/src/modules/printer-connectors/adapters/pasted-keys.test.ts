import { describe, expect, it } from 'vitest'
import { PRINTER_KEY, type Protocol, simulatedPrinters } from '../../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aNetworkPrinter } from '../../../../test/support/network-printers.ts'
import { loadRootSecret } from '../../../platform/root-secret.ts'

const KINDS: readonly Protocol[] = ['moonraker', 'octoprint', 'prusalink', 'bambu']

async function aPrinter(kind: Protocol) {
  const app = await buildTestApp()
  const [printer] = await simulatedPrinters([kind])
  const id = await aNetworkPrinter(app, { name: 'Left', kind, address: printer?.url ?? '' })
  const call = async (method: 'PUT' | 'POST', path: string, payload?: object) =>
    app.http.inject({
      method,
      url: `/api/printers/${id}${path}`,
      headers: { ...(await app.as('admin')), 'if-match': '*' },
      ...(payload && { payload }),
    })
  const test = async () => (await call('POST', '/test')).json<unknown>()
  return { app, id, test, enter: (key: string) => call('PUT', '', { api_key: key }) }
}

describe.each(KINDS)('a key of a %s printer that was pasted', (kind) => {
  it('is refused with a sentence if no printer can get it', async () => {
    const { enter } = await aPrinter(kind)
    for (const key of ['abc\u200bdef', 'abc\u2013def', 'abc\u00a0def', 'maker:abc\u200dx']) {
      const answer = await enter(key)
      expect([key, answer.statusCode, answer.json()]).toMatchObject([
        key,
        422,
        { errors: [{ path: 'api_key', message: expect.stringMatching(/copy the key again/) }] },
      ])
    }
  })

  it('loses the invisible characters at its ends', async () => {
    const { test, enter } = await aPrinter(kind)
    expect((await enter(`\u200b\ufeff ${PRINTER_KEY}\u00a0\u2060\n`)).statusCode).toBe(200)
    expect(await test()).toMatchObject({ ok: true })
  })

  it('counts as refused if an earlier version has stored it', async () => {
    const { app, id, test } = await aPrinter(kind)
    const secret = await loadRootSecret({ dataDir: app.dataDir })
    const sealed = secret.seal(`printers/${id}`, 'abc\u200b')
    await app.database.sql`update printers set api_key_sealed = ${sealed} where id = ${id}`
    const sentence = 'The printer refused the key. Enter the key again.'
    expect(await test()).toEqual({ ok: false, message: sentence })
    await app.printers.run()
    const [printer] = await app.database.sql`select state, state_reason from printers where id = ${id}`
    expect(printer).toEqual({ state: 'error', state_reason: sentence })
  })
})
