import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ChatRequest {
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface ChatServer {
  /** The value for `AI_BASE_URL`. */
  baseUrl: string
  requests: ChatRequest[]
  /** Sets how the server responds from now on. */
  behave(answer: Behavior): void
}

type Behavior = (response: ServerResponse, request: ChatRequest) => void

/** Returns a behavior that sends this text in the response format of an OpenAI-compatible endpoint. */
export const says =
  (text: string) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: text } }] }))

/** Starts an endpoint for language models that sends prepared responses over HTTP. */
export async function startChatServer(first: Behavior): Promise<ChatServer> {
  let behavior = first
  const requests: ChatRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received = {
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      requests.push(received)
      behavior(response, received)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    behave(answer) {
      behavior = answer
    },
  }
}
