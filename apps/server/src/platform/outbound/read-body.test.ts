import { once } from 'node:events'
import { type IncomingMessage, type RequestListener, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readBody } from './read-body.ts'
import { DOWNLOAD_LIMITS } from './safe-fetch.ts'

const GIB = 1024 ** 3
const LIMITS = { maxBytes: 10_000_000, windowMs: 100, windowBytes: 1000, totalMs: 10_000 }

async function answerOf(listener: RequestListener): Promise<IncomingMessage> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const request = get({ port: (server.address() as AddressInfo).port, agent: false })
  // The response reports the same errors, so ignore them on the request.
  request.on('error', () => undefined)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}

describe('the limits of a download', () => {
  it('the download limits allow the largest usual file at the slowest allowed speed', () => {
    const { windowMs, windowBytes, totalMs } = DOWNLOAD_LIMITS
    expect((totalMs / windowMs) * windowBytes).toBeGreaterThanOrEqual(GIB)
    // A sender of one byte per second is still detected within a minute.
    expect(windowMs).toBeLessThanOrEqual(60_000)
  })

  it('the time limits of a download do not include the time during which nobody reads it', async () => {
    const bytes = Buffer.alloc(2_000_000)
    const answer = await answerOf((_request, response) => response.end(bytes))
    let received = 0
    for await (const chunk of readBody(answer, LIMITS)) {
      if (received === 0) await wait(4 * LIMITS.windowMs)
      received += chunk.byteLength
    }
    expect(received).toBe(bytes.byteLength)
  })

  it('T54 a download is aborted if the sender is too slow or never stops sending', async () => {
    const drip = await answerOf((_request, response) => {
      const timer = setInterval(() => response.write('s'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const read = async (answer: IncomingMessage, limits: typeof LIMITS) => {
      for await (const _chunk of readBody(answer, limits));
    }
    await expect(read(drip, LIMITS)).rejects.toMatchObject({ fault: 'too-slow' })
    const steady = await answerOf((_request, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(1000)), 10)
      response.on('close', () => clearInterval(timer))
    })
    await expect(read(steady, { ...LIMITS, totalMs: 300 })).rejects.toMatchObject({ fault: 'too-slow' })
  })
})
