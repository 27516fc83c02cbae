import { describe, expect, it } from 'vitest'
import { PRINTER_KEY, type Protocol, simulatedPrinters } from '../../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aNetworkPrinter } from '../../../../test/support/network-printers.ts'
import { loadRootSecret } from '../../../platform/root-secret.ts'

const KINDS: readonly Protocol[] = ['moonraker', 'octoprint', 'prusalink', 'bambu']

async function aPrinter(kind: Protocol, password?: string) {
  const app = await buildTestApp()
  const [printer] = await simulatedPrinters([kind], { ...(password !== undefined && { apiKey: password }) })
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
  it(`a pasted key of a ${kind} printer is refused with a reason if the printer cannot receive it`, async () => {
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

  it(`a pasted key of a ${kind} printer loses the invisible characters at its ends`, async () => {
    const { test, enter } = await aPrinter(kind)
    expect((await enter(`\u200b\ufeff ${PRINTER_KEY}\u00a0\u2060\n`)).statusCode).toBe(200)
    expect(await test()).toMatchObject({ ok: true })
  })

  it(`a pasted key of a ${kind} printer counts as refused if an earlier version has stored it`, async () => {
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

describe('a user and a password of PrusaLink', () => {
  it.each(['пароль', '密码 1', 'Käse–Löffel'])(
    'a PrusaLink user can have the password %s',
    async (password) => {
      const { app, id, test, enter } = await aPrinter('prusalink', password)
      expect((await enter(`maker:${password}`)).statusCode).toBe(200)
      expect(await test()).toMatchObject({ ok: true })
      await app.printers.run()
      const [printer] = await app.database.sql`select state from printers where id = ${id}`
      expect(printer).toEqual({ state: 'available' })
    },
  )

  it('a PrusaLink user is refused if HTTP cannot carry the name', async () => {
    const { enter } = await aPrinter('prusalink')
    for (const key of ['мейкер:geheim', '密码'])
      expect((await enter(key)).json()).toMatchObject({
        errors: [{ path: 'api_key', message: expect.stringMatching(/copy the key again/) }],
      })
  })

  it.each(['moonraker', 'octoprint', 'bambu'] as const)(
    'a key of a %s printer is refused if HTTP cannot carry it, because it is sent unchanged',
    async (kind) => {
      const { enter } = await aPrinter(kind)
      const answer = await enter('maker:пароль')
      expect([answer.statusCode, answer.json()]).toMatchObject([
        422,
        { errors: [{ path: 'api_key', message: expect.stringMatching(/copy the key again/) }] },
      ])
    },
  )
})
