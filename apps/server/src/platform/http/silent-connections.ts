import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets connections go that have not asked anything when the server closes. Browsers open some ahead of need; Node
 * counts them as busy until their headers are late, and would hold the end of the product up for a minute.
 */
export function dropSilentConnections(http: FastifyInstance): void {
  const silent = new Set<Socket>()
  let isClosing = false
  http.server.on('connection', (socket: Socket) => {
    if (isClosing) {
      socket.destroy()
      return
    }
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  http.server.on('request', (request) => silent.delete(request.socket))
  http.addHook('preClose', async () => {
    isClosing = true
    for (const socket of silent) socket.destroy()
  })
}
