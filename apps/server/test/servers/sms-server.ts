import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

const KEY = Buffer.alloc(32, 11)

export interface SmsCall {
  headers: IncomingHttpHeaders
  body: { user: Record<string, unknown>; sms: Record<string, string>; metadata: Record<string, string> }
}

export interface SmsServer {
  /** The variables that make Pegasus Ops send its text messages to this server. */
  variables: Record<string, string>
  /** The calls with a valid signature that the server has accepted. */
  taken: SmsCall[]
  /** Returns the number of all calls. */
  calls(): number
  /** Sets how the server responds from now on. */
  answer(status: number, body?: object): void
}

/** Starts a program that receives messages and checks their signatures, as Standard Webhooks defines. */
export async function aSmsServer(): Promise<SmsServer> {
  const taken: SmsCall[] = []
  let calls = 0
  let reply = { status: 200, body: {} as object }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      calls += 1
      const body = Buffer.concat(chunks).toString()
      const { headers } = request
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
      const wanted = `v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`
      const isSigned = String(headers['webhook-signature']).split(' ').includes(wanted)
      const { status } = isSigned ? reply : { status: 401 }
      if (status === 200) taken.push({ headers, body: JSON.parse(body) as SmsCall['body'] })
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const other = Buffer.alloc(24, 3).toString('base64')
  return {
    variables: {
      GOTRUE_HOOK_SEND_SMS_ENABLED: 'true',
      GOTRUE_HOOK_SEND_SMS_URI: `http://127.0.0.1:${port}/send`,
      GOTRUE_HOOK_SEND_SMS_SECRETS: `v1,whsec_${other}|v1,whsec_${KEY.toString('base64')}`,
    },
    taken,
    calls: () => calls,
    answer(status, body = {}) {
      reply = { status, body }
    },
  }
}
