import { type Socket, connect } from 'node:net'

const END_OF_HEAD = Buffer.from('\r\n\r\n')

export interface Answer {
  status: number
  sizeBytes: number
}

/**
 * A keep-alive connection that sends one request at a time. The bytes of the requests are prepared in advance, and the
 * responses are not parsed completely. A full HTTP client would take as much time as a fast server, and hide
 * differences.
 */
export class HttpConnection {
  readonly #socket: Socket
  #head: Buffer = Buffer.alloc(0)
  #missingBytes = -1
  #answer: Answer = { status: 0, sizeBytes: 0 }
  #waiting: PromiseWithResolvers<Answer> | null = null

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#read(chunk))
    this.#socket.on('error', (error) => this.#waiting?.reject(error))
    this.#socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')))
  }

  /** Sends a request. Rejects if the connection is already closed, or is closed before the response. */
  ask(request: Buffer): Promise<Answer> {
    if (this.#socket.destroyed) return Promise.reject(new Error('the server closed the connection'))
    this.#waiting = Promise.withResolvers()
    this.#socket.write(request)
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    let body = chunk.length
    if (this.#missingBytes < 0) {
      const bytes = this.#head.length > 0 ? Buffer.concat([this.#head, chunk]) : chunk
      const end = bytes.indexOf(END_OF_HEAD)
      if (end < 0) {
        this.#head = bytes
        return
      }
      this.#head = Buffer.alloc(0)
      this.#readHead(bytes.toString('latin1', 0, end))
      body = bytes.length - end - END_OF_HEAD.length
    }
    this.#missingBytes -= body
    if (this.#missingBytes > 0) return
    this.#missingBytes = -1
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.resolve(this.#answer)
  }

  #readHead(head: string): void {
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
    if (length === undefined) throw new Error(`an answer without a length: ${head}`)
    this.#answer = { status: Number(head.slice(9, 12)), sizeBytes: Number(length) }
    this.#missingBytes = this.#answer.sizeBytes
  }
}

export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export function toBytes({ method, path, headers = {}, body = '' }: Request): Buffer {
  const all: Record<string, string> = { host: '127.0.0.1', ...headers }
  if (body) all['content-length'] = String(Buffer.byteLength(body))
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
