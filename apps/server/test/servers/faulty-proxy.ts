import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { onTestFinished } from 'vitest'

/** The fault of one call to another server. */
export type CallFault =
  /** The connection is reset, and the server never gets the request. */
  | 'reset'
  /** The server does what was requested, but its response is lost. */
  | 'lost response'
  /** The response never comes. */
  | 'silence'
  /** The response is a 500, and the server never gets the request. */
  | 'error 500'
  /** The response is a 200 with a broken body, and the server never gets the request. */
  | 'garbage'

/** A proxy between our server and another server. It can make one call fail. */
export interface FaultyProxy {
  url: string
  /** Number of calls since the last `fail` or `heal`. */
  calls(): number
  /** Makes the call with the number `at` fail, counted from now. With `isLasting`, all later calls fail as well. */
  fail(fault: CallFault, at: number, isLasting?: boolean): void
  /** Lets all calls pass. */
  heal(): void
}

interface Plan {
  fault: CallFault
  at: number
  isLasting: boolean
}

/** Counts calls, and returns the fault of each. */
function createPlan() {
  let plan: Plan | null = null
  let calls = 0
  const begin = (next: Plan | null) => {
    plan = next
    calls = 0
  }
  return {
    calls: () => calls,
    fail: (fault: CallFault, at: number, isLasting = false) => begin({ fault, at, isLasting }),
    heal: () => begin(null),
    next(): CallFault | null {
      calls += 1
      if (plan === null) return null
      return calls === plan.at || (plan.isLasting && calls > plan.at) ? plan.fault : null
    },
  }
}

/** Starts a proxy in front of an HTTP server until the test ends. It passes on every header, also `Host`. */
export async function aFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const plan = createPlan()
  const server = createServer((request, response) => {
    for (const stream of [request, response]) stream.on('error', () => undefined)
    const fault = plan.next()
    if (fault === 'reset') return void request.socket.resetAndDestroy()
    if (fault === 'silence') return void request.resume()
    if (fault === 'error 500') {
      request.resume()
      return void response.writeHead(500).end('late failure')
    }
    if (fault === 'garbage') {
      request.resume()
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": [\u0000<html>')
    }
    const { method, url: path, headers } = request
    const passed = sendRequest({ hostname, port, method, path, headers }, (answer) => {
      if (fault === 'lost response') {
        answer.resume()
        return void answer.once('end', () => request.socket.resetAndDestroy())
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      return void answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    return void request.pipe(passed)
  })
  await once(server.listen({ host: '127.0.0.1', port: 0 }), 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port: own } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${own}`, calls: plan.calls, fail: plan.fail, heal: plan.heal }
}

/**
 * Starts a proxy in front of a mail server until the test ends. Each command, and each piece of the content of a mail,
 * is one call. An error and a broken response also end the connection.
 */
export async function aFaultyMailProxy(target: string): Promise<FaultyProxy> {
  const plan = createPlan()
  const { hostname, port } = new URL(target)
  const server = createTcpServer((client) => {
    const upstream = connect(Number(port), hostname)
    let fault: CallFault | null = null
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    let isOver = false
    client.on('data', (bytes: Buffer) => {
      if (isOver) return
      fault = plan.next()
      isOver = fault !== null && fault !== 'lost response'
      if (fault === 'reset') client.resetAndDestroy()
      else if (fault === 'error 500') client.end('421 4.3.0 late failure\r\n')
      else if (fault === 'garbage') client.end('\u0000<html>\r\n')
      else if (fault !== 'silence') upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (fault === 'lost response') client.resetAndDestroy()
      else client.write(bytes)
    })
  })
  await once(server.listen({ host: '127.0.0.1', port: 0 }), 'listening')
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const { port: own } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${own}`, calls: plan.calls, fail: plan.fail, heal: plan.heal }
}
