import { connect, type Socket } from 'node:net'
import type postgres from 'postgres'

/**
 * Opens the driver's sockets. A proxy without its server accepts a connection and closes it at once; the driver would
 * retry forever, and the query would never fail. This socket makes it fail.
 */
export function openFailFastSocket({ host, port, path }: postgres.ParsedOptions): Socket {
  const at = { host: host[0] ?? 'localhost', port: port[0] ?? 5432 }
  const socket = path ? connect(path) : connect(at)
  let hasAnswered = false
  socket.once('data', () => {
    hasAnswered = true
  })
  socket.once('end', () => {
    if (hasAnswered) return
    const error = new Error('The database closed the connection without an answer.')
    socket.destroy(Object.assign(error, { code: 'ECONNRESET' }))
  })
  // A read or write error does not name its origin: without a tag it would look like a fault of ours.
  socket.on('error', (error) => {
    Object.assign(error, { isDatabase: true, ...(!('address' in error) && { address: path || at.host }) })
  })
  // The driver checks the certificate against this name.
  return Object.assign(socket, at)
}
