import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { aKey, actOnKey, keyHeader } from '../../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { aSpool } from '../../../../../test/support/stock-factories.ts'

const API = '/spoolman/api/v1'

type Headers = Record<string, string>

const aPrinter = async (app: TestApp): Promise<Headers> =>
  keyHeader((await aKey(app, { scope: ['print-jobs'], label: 'Voron' })).key)

const put = (app: TestApp, headers: Headers, path: string, payload: object) =>
  app.http.inject({ method: 'PUT', url: `${API}${path}`, headers, payload })

describe('the websocket for Moonraker', () => {
  const open = async (app: TestApp, headers: Headers, path = '/spool') => {
    const { port } = app.http.server.address() as AddressInfo
    const socket = new WebSocket(`ws://127.0.0.1:${port}${API}${path}`, { headers })
    onTestFinished(() => socket.close())
    return socket
  }
  const next = async (socket: WebSocket): Promise<Record<string, unknown>> => {
    const [data] = (await once(socket, 'message')) as [Buffer]
    return JSON.parse(data.toString()) as Record<string, unknown>
  }

  it('the websocket for Moonraker reports added, used and deleted spools, and answers messages', async () => {
    const app = await buildTestApp()
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const printer = await aPrinter(app)
    const socket = await open(app, printer)
    await once(socket, 'open')
    const reply = next(socket)
    socket.send('are you there?')
    expect(await reply).toEqual({ status: 'healthy' })
    const added = next(socket)
    const id = await aSpool(app)
    expect(await added).toMatchObject({ type: 'added', resource: 'spool', payload: { id: 1 } })
    const used = next(socket)
    await put(app, printer, '/spool/1/use', { use_weight: 10 })
    expect(await used).toMatchObject({ type: 'updated', payload: { id: 1, remaining_weight: 990 } })
    const deleted = next(socket)
    await app.http.inject({ method: 'DELETE', url: `/api/filament/${id}`, headers: await app.as('staff') })
    expect(await deleted).toMatchObject({ type: 'deleted', payload: { id: 1 } })
  })

  it('a Spoolman websocket reports exactly the changes of the objects in its address, including those made in the app', async () => {
    const app = await buildTestApp()
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const printer = await aPrinter(app)
    const heard: Record<string, string[]> = {}
    const PATHS = [
      '/',
      '/spool',
      '/spool/2',
      '/filament',
      '/filament/2',
      '/vendor',
      '/vendor/1',
      '/setting',
      '/setting/base_url',
    ]
    for (const path of PATHS) {
      const socket = await open(app, printer, path)
      await once(socket, 'open')
      // A reply to a message means that the socket receives all changes from now on.
      const reply = next(socket)
      socket.send('are you there?')
      await reply
      const events: string[] = []
      heard[path] = events
      socket.on('message', (data: Buffer) => {
        const { type, resource, payload } = JSON.parse(data.toString()) as {
          type: string
          resource: string
          payload: { id?: number; key?: string; setting?: { value: string } }
        }
        events.push(`${type} ${resource} ${payload.id ?? `${payload.key} ${payload.setting?.value}`}`)
      })
    }
    const all = (count: number) => expect.poll(() => heard['/']?.length, { timeout: 20_000 }).toBe(count)
    await aSpool(app, { brand: 'Prusament', name: 'Galaxy' })
    await all(3)
    const id = await aSpool(app, { brand: 'Prusament', name: 'Azure' })
    await all(5)
    await app.http.inject({ method: 'DELETE', url: `/api/filament/${id}`, headers: await app.as('staff') })
    const patch = (path: string, payload: object) =>
      app.http.inject({ method: 'PATCH', url: `${API}${path}`, headers: printer, payload })
    await patch('/vendor/1', { comment: 'Prague' })
    const setting = (key: string, payload: string) =>
      app.http.inject({
        method: 'POST',
        url: `${API}/setting/${key}`,
        headers: { ...printer, 'content-type': 'application/json' },
        payload: JSON.stringify(payload),
      })
    await setting('base_url', '"https://spools.example.com"')
    await setting('round_prices', 'true')
    await expect.poll(() => heard['/']?.at(-1), { timeout: 20_000 }).toBe('updated setting round_prices true')
    const of = (path: string) => heard[path]?.toSorted()
    const spoolTwo = of('/')?.filter((each) => each.endsWith('spool 2'))
    expect(spoolTwo).toEqual(['added spool 2', 'deleted spool 2'])
    expect(of('/spool/2')).toEqual(spoolTwo)
    expect(of('/spool')).toEqual(of('/')?.filter((each) => each.includes(' spool ')))
    expect(of('/filament')).toEqual(of('/')?.filter((each) => each.includes(' filament ')))
    expect(of('/filament')).toEqual(expect.arrayContaining(['added filament 1', 'added filament 2']))
    expect(of('/filament/2')).toEqual(of('/filament')?.filter((each) => each.endsWith(' 2')))
    expect([of('/vendor'), of('/vendor/1')]).toEqual(Array(2).fill(['added vendor 1', 'updated vendor 1']))
    const baseUrl = 'updated setting base_url "https://spools.example.com"'
    expect(of('/setting')).toEqual([baseUrl, 'updated setting round_prices true'])
    expect(of('/setting/base_url')).toEqual([baseUrl])
  })

  it('one API key can hold at most 50 websockets for Moonraker, while other keys can still open theirs', async () => {
    const app = await buildTestApp()
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const [printer, other] = [await aPrinter(app), await aPrinter(app)]
    const opened = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = await open(app, printer)
        await once(socket, 'open')
        return socket
      }),
    )
    const refused = await open(app, printer)
    const [code, reason] = (await once(refused, 'close')) as [number, Buffer]
    expect([code, String(reason)]).toEqual([1013, 'Too many sockets are open.'])
    const welcome = await open(app, other)
    await once(welcome, 'open')
    const reply = next(welcome)
    welcome.send('are you there?')
    expect(await reply).toEqual({ status: 'healthy' })
    expect(opened.every((socket) => socket.readyState === WebSocket.OPEN)).toBe(true)
  })

  it('one account can hold at most 200 websockets for Moonraker, whatever the number of its API keys', async () => {
    const app = await buildTestApp()
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const username = await app.anAccount('staff')
    const ownKey = async () => keyHeader((await aKey(app, { scope: ['print-jobs'], username })).key)
    for (let count = 0; count < 4; count += 1) {
      const printer = await ownKey()
      const sockets = await Promise.all(Array.from({ length: 50 }, () => open(app, printer)))
      await Promise.all(sockets.map((socket) => once(socket, 'open')))
    }
    const refused = await open(app, await ownKey())
    const [code] = (await once(refused, 'close')) as [number]
    expect(code).toBe(1013)
    await once(await open(app, await aPrinter(app)), 'open')
  })

  it('a client of the Moonraker websocket that never reads is disconnected', async () => {
    const app = await buildTestApp()
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const socket = await open(app, await aPrinter(app))
    await once(socket, 'open')
    socket.pause()
    const closed = once(socket, 'close')
    // Each message gets a reply, which the client does not read.
    const timer = setInterval(() => {
      for (let count = 0; count < 10_000; count += 1) socket.send('x')
    }, 20)
    onTestFinished(() => clearInterval(timer))
    await closed
    expect(socket.readyState).toBe(WebSocket.CLOSED)
  })

  it("the websocket for Moonraker refuses a missing key, a disabled key, and a person's token", async () => {
    const app = await buildTestApp()
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const key = await aKey(app, { scope: ['print-jobs'] })
    await actOnKey(app, await app.as('owner'), key.id, 'disable')
    for (const headers of [{}, keyHeader(key.key), await app.as('owner')]) {
      const socket = await open(app, headers)
      await expect(once(socket, 'open')).rejects.toThrow(/Unexpected server response: 40[13]/)
    }
  })
})
