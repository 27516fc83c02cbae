import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { PrinterReply } from './wire.ts'

/**
 * How a printer misbehaves: `lost` cuts the connection before the printer does anything, `lost-answer` cuts it after
 * the printer has done what was requested, `silent` never responds, `slow` sends a byte a second, `endless` sends
 * forever, `redirect` points to another address, `key` refuses every key, `refused` refuses the request with a message.
 */
export const FAULTS = [
  'lost',
  'lost-answer',
  'silent',
  'slow',
  'garbage',
  'endless',
  'redirect',
  'key',
  'refused',
] as const
export type FaultKind = (typeof FAULTS)[number]

export interface Fault {
  kind: FaultKind
  /** Only requests whose `METHOD /path` contains this text. */
  only?: string
  /** Number of requests that the fault affects. Default: all. */
  times?: number
  /** The status of a refusal. Over HTTP, the default is 500. Over FTP, it is 553, or 552 for every other value. */
  status?: number
  /** The address of a redirect. */
  to?: string
}

/** Returns the reason of a refusal: full storage, or a file that the printer does not accept. */
export const refusalOf = ({ status = 500 }: Pick<Fault, 'status'>): string =>
  status >= 500 && status !== 553 ? 'No space left on device' : 'This file is not accepted'

/**
 * Sends the faulty response instead of the reply. Returns false for a fault that does not change the reply.
 */
export function misbehave(fault: Fault, response: ServerResponse, reply: PrinterReply | null): boolean {
  switch (fault.kind) {
    case 'lost':
    case 'lost-answer':
      response.destroy()
      return true
    case 'silent':
      return true
    case 'slow': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const text = JSON.stringify(reply ?? {})
      let at = 0
      const timer = setInterval(() => response.write(text[at++ % text.length] ?? ' '), 1000)
      response.on('close', () => clearInterval(timer))
      return true
    }
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"result": <html>\u0000\u0007]]')
      return true
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const chunk = Buffer.alloc(65_536, '[')
      const send = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', send)
      send()
      return true
    }
    case 'redirect':
      response.writeHead(307, { location: fault.to ?? 'http://127.0.0.1:5432/' })
      response.end()
      return true
    case 'key':
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end('{"error": {"code": 401, "message": "Unauthorized"}}')
      return true
    case 'refused':
      response.writeHead(fault.status ?? 500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { code: fault.status ?? 500, message: refusalOf(fault) } }))
      return true
  }
}

/** Sends faulty bytes instead of the reply. */
export function misbehaveOn(socket: Socket, { kind }: Fault, reply: Buffer): void {
  switch (kind) {
    case 'lost':
    case 'lost-answer':
      socket.destroy()
      return
    case 'silent':
      return
    case 'slow': {
      let at = 0
      const timer = setInterval(() => socket.write(reply.subarray(at, ++at)), 1000)
      socket.on('close', () => clearInterval(timer))
      return
    }
    case 'endless': {
      // The header of a message with 256 MB.
      socket.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]))
      const chunk = Buffer.alloc(65_536, 'x')
      const send = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', send)
      send()
      return
    }
    case 'garbage':
    case 'key':
    case 'redirect':
    case 'refused':
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
  }
}

/** Returns whether the printer executes the request despite the fault. */
export const doesItAllTheSame = ({ kind }: Fault): boolean =>
  kind === 'lost-answer' || kind === 'silent' || kind === 'slow' || kind === 'garbage' || kind === 'endless'
