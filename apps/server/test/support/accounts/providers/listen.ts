import { type RequestListener, createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/**
 * Listens on a free port of this machine until the test ends. Returns the address without a trailing slash.
 */
export async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => {
      server.close(done)
    })
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
