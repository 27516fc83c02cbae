import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { SECOND_MS } from '../../src/platform/clock.ts'
import { baseUrlOf } from '../storage/storage-client.ts'
import { buildTestApp } from '../support/build-test-app.ts'

const CLIENTS = 1000
const PAUSE_MS = 10 * SECOND_MS
const LONGEST_MS = 60 * SECOND_MS
const SLOWEST_P95_MS = 500

it('T88 slow clients are disconnected within a minute, and do not slow down other clients', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const url = new URL(await baseUrlOf(app))
  const body = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${staff.authorization}\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n`
  /** The first part of each request. The client then sends the rest byte by byte. */
  const beginnings = [
    'GET /api/inventory HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    body('/auth/login', 'application/json'),
    body('/api/inventory', 'application/json'),
    body('/api/stl-files/upload', 'multipart/form-data; boundary=x'),
  ]
  const sockets: Socket[] = []
  const lives: number[] = []
  const begin = async (index: number) => {
    const socket = connect(Number(url.port), url.hostname)
    // When the server cuts the connection, the socket may report an error.
    socket.on('error', () => undefined)
    socket.resume()
    sockets.push(socket)
    await once(socket, 'connect')
    const beganAt = performance.now()
    socket.write(beginnings[index % beginnings.length] ?? '')
    const timer = setInterval(() => socket.write('x'), PAUSE_MS)
    socket.once('close', () => {
      clearInterval(timer)
      lives.push(performance.now() - beganAt)
    })
  }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => begin(index)))

  const open = sockets.filter((socket) => socket.readyState === 'open')
  expect([open.length, lives.length]).toEqual([CLIENTS, 0])

  const times: number[] = []
  const beganAt = performance.now()
  while (lives.length < CLIENTS && performance.now() - beganAt < LONGEST_MS + PAUSE_MS) {
    const askedAt = performance.now()
    const answer = await fetch(new URL('/api/inventory', url), { headers: staff })
    await answer.arrayBuffer()
    expect(answer.status).toBe(200)
    times.push(performance.now() - askedAt)
    await wait(SECOND_MS / 10)
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Infinity
  const [shortest, slowest] = [Math.min(...lives), Math.max(...lives)]
  console.info(
    `T88 slow clients still connected ${CLIENTS - lives.length} of ${CLIENTS}, the first one disconnected after ${Math.round(shortest / SECOND_MS)} s, the last one after ${Math.round(slowest / SECOND_MS)} s; p95 of ${times.length} other requests ${Math.round(p95)} ms`,
  )
  expect(lives).toHaveLength(CLIENTS)
  // No client was disconnected before its first pause ended.
  expect(shortest).toBeGreaterThan(PAUSE_MS)
  expect(slowest).toBeLessThan(LONGEST_MS)
  expect(p95).toBeLessThan(SLOWEST_P95_MS)
})
