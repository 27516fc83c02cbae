import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { importIn, keptBy, QUICK, uploadByUrl } from '../../../../test/support/library/model-imports.ts'
import { aRemote, serving } from '../../../../test/servers/remote-server.ts'

const CUBE = writeBinaryStl(createCube(20))
const NOTHING = { files: 0, models: 0 }

describe('fetches from a hostile server', () => {
  it('T54 a fetch from a hostile server stops at the limits of size and time, and nothing is kept', {
    timeout: 120_000,
  }, async () => {
    const limit = 1024 * 1024
    let sent = 0
    const big = Buffer.concat([CUBE, Buffer.alloc(3 * limit)])
    big.writeUInt32LE(200_000, 80)
    const remote = await aRemote((request, response) => {
      const path = request.url
      if (path === '/endless') {
        const pour = async () => {
          for (let at = 0; !response.destroyed && at < 64; at += 1) {
            response.write(at === 0 ? big.subarray(0, 65_536) : Buffer.alloc(65_536))
            sent += 65_536
            await wait(10)
          }
        }
        void pour()
      } else if (path === '/says-too-much')
        response.writeHead(200, { 'content-length': String(10 * limit) }).flushHeaders()
      else if (path === '/short') {
        response.writeHead(200, { 'content-length': String(CUBE.byteLength + 1000) })
        response.write(CUBE, () => response.destroy())
      } else if (path === '/gzip')
        serving(gzipSync(Buffer.alloc(5 * limit)), { 'content-encoding': 'gzip' })(request, response)
      else if (path === '/drip') {
        response.writeHead(200)
        const timer = setInterval(() => response.write('s'), 50)
        response.on('close', () => clearInterval(timer))
      } else if (path === '/html')
        serving(Buffer.from('<!doctype html><html></html>'.padEnd(2000)))(request, response)
      else if (path === '/switch')
        request.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
      else request.socket.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`)
    })
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}`, UPLOAD_LIMIT: String(limit) },
      outbound: { limits: QUICK },
    })
    const staff = await app.as('staff')
    const reasons: Record<string, string> = {}
    for (const path of ['endless', 'says-too-much', 'short', 'gzip', 'drip', 'html', 'switch', 'headers']) {
      const begun = (await uploadByUrl(app, staff, `${remote.url}/${path}`)).json<ModelImport>()
      const ended = await importIn(app, staff, begun.id, 'failed', 'done')
      reasons[path] = `${ended.status}: ${ended.error}`
    }
    const { files, models } = await keptBy(app)
    console.info(
      `T54 residues ${files + models} of ${Object.keys(reasons).length}, sent before the stop ${sent} bytes of at most ${2 * limit}`,
    )
    expect(reasons).toMatchObject({
      endless: expect.stringContaining('failed: The file is larger'),
      'says-too-much': expect.stringContaining('failed: The file is larger'),
      short: expect.stringContaining('failed: The transfer was interrupted'),
      gzip: expect.stringContaining('failed: The other server sends the file compressed'),
      drip: expect.stringContaining('failed: The other server sends too slowly'),
      html: expect.stringContaining('failed: This is a web page'),
      switch: expect.stringContaining('failed: Nothing could be fetched'),
      headers: expect.stringContaining('failed: Nothing could be fetched'),
    })
    expect({ files, models }).toEqual(NOTHING)
    expect(sent).toBeLessThan(2 * limit)
  })

  it('T55 neither the message nor the timing of a fetch shows whether a server is reachable or missing', {
    timeout: 60_000,
  }, async () => {
    const open = createServer(
      (socket) => void socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.9\r\n'),
    )
    const silent = createServer((socket) => void socket.on('error', () => undefined))
    const portOf = async (server: typeof open) => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return (server.address() as AddressInfo).port
    }
    const closed = createServer()
    const ports = { open: await portOf(open), silent: await portOf(silent), closed: await portOf(closed) }
    closed.close()
    onTestFinished(() => {
      open.close()
      silent.close()
    })
    const web = await aRemote((_request, response) => response.writeHead(404).end())
    let isKnown = true
    const app = await buildTestApp({
      variables: {
        URL_IMPORT_ALLOW: [...Object.values(ports), web.port].map((port) => `127.0.0.1:${port}`).join(','),
      },
      outbound: {
        limits: { ...QUICK, answerMs: 1500 },
        resolve: async () => {
          if (!isKnown) throw new Error('ENOTFOUND')
          return ['127.0.0.1']
        },
      },
    })
    const staff = await app.as('staff')
    const kinds = {
      open: `http://127.0.0.1:${ports.open}/`,
      silent: `http://127.0.0.1:${ports.silent}/`,
      closed: `http://127.0.0.1:${ports.closed}/`,
      'web server without the file': web.url,
      'name that is gone': `http://gone.example.com:${web.port}/`,
    }
    const messages = new Set<string | null>()
    const times: number[] = []
    for (const [kind, url] of Object.entries(kinds)) {
      isKnown = true
      const begun = await uploadByUrl(app, staff, url)
      isKnown = kind !== 'name that is gone'
      const startedAt = performance.now()
      messages.add((await importIn(app, staff, begun.json<ModelImport>().id, 'failed', 'done')).error)
      times.push(performance.now() - startedAt)
    }
    const fastest = Math.min(...times)
    console.info(
      `T55 texts ${messages.size} of 1 for ${times.length} kinds of failure; each padded to 1500 ms: ${times.map(Math.round).join(', ')} ms`,
    )
    expect(messages.size).toBe(1)
    expect(fastest).toBeGreaterThan(1400)
  })

  it('T56 a remote server receives no cookie, no authorization and none of our keys', async () => {
    const remote = await aRemote((request, response) => {
      if (request.url === '/one') response.writeHead(302, { location: '/two', 'set-cookie': 'a=b' }).end()
      else serving(CUBE)(request, response)
    })
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}`, MAIN_SITE_URL: remote.url },
      outbound: { limits: QUICK },
    })
    const staff = await app.as('staff')
    const answer = await uploadByUrl(
      app,
      staff,
      `${remote.url}/one`,
      {},
      { cookie: 'session=secret', 'x-admin-key': 'secret' },
    )
    await importIn(app, staff, answer.json<ModelImport>().id, 'done')
    const usual = new Set(['accept', 'accept-encoding', 'user-agent', 'host', 'connection'])
    const leaked = remote.hits.flatMap(({ headers }) =>
      Object.keys(headers).filter((name) => !usual.has(name)),
    )
    console.info(`T56 headers of ours sent ${leaked.length} of ${remote.hits.length} requests`)
    expect([leaked, remote.hits.length]).toEqual([[], 2])
  })
})
