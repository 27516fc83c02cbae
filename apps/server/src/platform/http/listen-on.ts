import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Opens the port, and returns the address. `localhost` usually has an IPv4 and an IPv6 address, and both must lead to
 * the same server. Fastify would create a second server for the second address, and requests to that server would not
 * be diverted to demos. Throws if the port of the first address cannot be opened; the other addresses are optional.
 * `findAddresses` resolves the name.
 */
export async function listenOn(
  http: FastifyInstance,
  { host, port }: { host: string; port: number },
  findAddresses = addressesOf,
): Promise<string> {
  if (host !== 'localhost') return http.listen({ host, port })
  const [first = '127.0.0.1', ...others] = new Set(await findAddresses(host))
  const address = await http.listen({ host: first, port })
  const { port: opened } = http.server.address() as AddressInfo
  for (const other of others) {
    // Node's HTTP servers have the same options. This server only passes its connections to the HTTP server.
    const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      http.server.emit('connection', socket),
    )
    http.server.once('close', () => door.close())
    await once(door.listen({ host: other, port: opened }), 'listening').catch((error: unknown) =>
      http.log.warn(
        { err: error, address: other },
        'the server does not listen on this address of localhost',
      ),
    )
    door.on('error', (error) => http.log.warn({ err: error }, 'a connection was not accepted'))
  }
  return address
}
