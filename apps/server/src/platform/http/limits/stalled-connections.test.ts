import { once } from 'node:events'
import { type AddressInfo, type Socket, connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ConnectionLimits, dropStalledConnections } from './stalled-connections.ts'

const LIMITS = { idleMs: 200, bodyMs: 500, idleAtStopMs: 200, graceMs: 600, uploadWindowBytes: 1 }

async function aServer(
  limits: Partial<ConnectionLimits> = {},
): Promise<{ http: FastifyInstance; open(): Promise<Socket> }> {
  const http = Fastify()
  dropStalledConnections(http, { ...LIMITS, ...limits })
  http.addContentTypeParser(['multipart/form-data', 'application/json'], (_request, payload, done) => {
    payload.resume()
    payload.once('end', () => done(null))
    payload.once('error', done)
  })
  http.post('/', async () => 'got it')
  http.route({
    method: ['POST', 'PUT', 'DELETE'],
    url: '/storage/v1/object/*',
    handler: async () => 'got it',
  })
  const refuse = async () => Promise.reject(Object.assign(new Error('no'), { statusCode: 401 }))
  http.post('/refused', { onRequest: refuse }, async () => 'never')
  http.get('/never', () => new Promise(() => undefined))
  await http.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => http.close())
  const { port } = http.server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    // A connection that the server cuts may report an error. The tests only wait for its end.
    socket.on('error', () => undefined)
    socket.resume()
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { http, open }
}

const post = (type: string, length: number): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`

async function lifeMs(socket: Socket): Promise<number> {
  const before = performance.now()
  // Use a promise, because `once` of `node:events` rejects if the connection is reset.
  await new Promise((resolve) => socket.once('close', resolve))
  return performance.now() - before
}

/** Sends a byte every 50 ms, so that no limit on pauses applies. */
function trickle(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 50)
  socket.once('close', () => clearInterval(timer))
}

describe('slow and stalled connections', () => {
  it('a connection is closed if a request body stops arriving', async () => {
    const { open } = await aServer()
    const socket = await open()
    socket.write(`${post('application/json', 100)}{`)
    expect(await lifeMs(socket)).toBeLessThan(1000)
  })

  it('a connection is closed if a request body that is not an upload arrives too slowly', async () => {
    const { open } = await aServer()
    const socket = await open()
    socket.write(post('application/json', 1000))
    trickle(socket)
    const life = await lifeMs(socket)
    expect(life).toBeGreaterThan(400)
    expect(life).toBeLessThan(1500)
  })

  it('a connection is closed if the rest of a refused upload arrives too slowly', async () => {
    const { open } = await aServer()
    const socket = await open()
    socket.write(post('multipart/form-data; boundary=x', 1000).replace('/ ', '/refused '))
    trickle(socket)
    expect(await lifeMs(socket)).toBeLessThan(1500)
  })

  it('a connection is closed if an upload sends too few bytes in a period', async () => {
    const { open } = await aServer({ idleMs: 5000, uploadWindowMs: 500, uploadWindowBytes: 100 })
    const socket = await open()
    socket.write(post('multipart/form-data; boundary=x', 1000))
    trickle(socket)
    const life = await lifeMs(socket)
    expect(life).toBeGreaterThan(400)
    expect(life).toBeLessThan(5000)
  })

  it('a connection stays open while an upload sends enough bytes in each period', async () => {
    const { open } = await aServer({ uploadWindowMs: 300 })
    const socket = await open()
    socket.write(post('multipart/form-data; boundary=x', 20))
    trickle(socket)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toContain('got it')
  })
})

const OBJECT_CALLS: readonly (readonly [call: string, isUpload: boolean])[] = [
  ['POST /storage/v1/object/files/a.json', true],
  ['PUT /storage/v1/object/files/list/a.json', true],
  ['POST /storage/v1/object/listed/a.json', true],
  ['PUT /storage/v1/object/upload/sign/files/a.json?token=x', true],
  ['POST /storage/v1/object/upload/sign/files/a.json', false],
  ['POST /storage/v1/object/list/files', false],
  ['POST /storage/v1/object/list-v2/files', false],
  ['POST /storage/v1/object/sign/files/a.json', false],
  ['POST /storage/v1/object/move', false],
  ['POST /storage/v1/object/copy?x', false],
  ['DELETE /storage/v1/object/files', false],
]

describe('JSON bodies sent to the storage service', () => {
  it('a JSON file may arrive as slowly as any other upload, but the JSON of other calls may not', async () => {
    const { open } = await aServer()
    const results = await Promise.all(
      OBJECT_CALLS.map(async ([call]) => {
        const socket = await open()
        socket.write(post('application/json', 20).replace('POST /', call))
        trickle(socket)
        const end = await Promise.race([once(socket, 'data'), lifeMs(socket)])
        return [call, Array.isArray(end) && String(end[0]).endsWith('got it')]
      }),
    )
    expect(results).toEqual(OBJECT_CALLS)
  })
})

describe('the shutdown of the server', () => {
  it('a shutdown waits neither for idle connections nor for incomplete request bodies', async () => {
    const { http, open } = await aServer()
    await open()
    const half = await open()
    half.write(`${post('multipart/form-data; boundary=x', 100)}{`)
    await once(http.server, 'request')
    const before = performance.now()
    await http.close()
    expect(performance.now() - before).toBeLessThan(1500)
  })

  it('a shutdown aborts running requests after a time limit', async () => {
    const { http, open } = await aServer()
    const socket = await open()
    socket.write('GET /never HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(http.server, 'request')
    const before = performance.now()
    await http.close()
    const took = performance.now() - before
    expect(took).toBeGreaterThan(500)
    expect(took).toBeLessThan(1500)
  })
})
