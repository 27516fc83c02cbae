import type { TLSSocket } from 'node:tls'
import { DeviceCallError, type DeviceFault } from '../../../../platform/outbound/device-fault.ts'
import { uploadLimitMs } from '../../../../platform/outbound/device-limits.ts'
import type { DeviceSocket } from '../../../../platform/outbound/device-socket.ts'
import { writeStream } from '../../../../platform/outbound/write-stream.ts'
import { type PrintFile, PrinterError, printerWords } from '../../connector.ts'
import { garbageError, keyError, networkError, refusedError } from '../../printer-errors.ts'

const MAX_REPLY_BYTES = 16 * 1024
const MAX_REPLY_LINES = 1000
const LAST_LINE = /^(\d{3})(?: (.*))?$/
/**
 * Matches a line of a reply that is not the last one. Such a line begins with the code and a dash, or with a
 * space.
 */
const CONTINUED_LINE = /^(?:\d{3}-| )/

interface FtpReply {
  code: number
  text: string
}

/** A connection to the file store of a printer. Every call throws PrinterError. */
export interface FtpsClient {
  /** Returns the size of a file, or null if there is no such file. */
  findSize(name: string): Promise<number | null>
  /** Uploads a file under this name. */
  store(name: string, file: PrintFile): Promise<void>
  /** Removes a file. Does nothing if there is no such file. */
  remove(name: string): Promise<void>
  close(): void
}

/** Throws PrinterError if a certificate does not belong to the printer. */
export type CheckCertificate = (socket: TLSSocket) => void

const lost = (fault: DeviceFault, cause?: unknown): PrinterError =>
  networkError(new DeviceCallError(fault, { wasSent: true, cause }))

/** The reply of a printer whose storage is full. RFC 959 counts it as transient, but the storage stays full. */
const FULL_STORAGE = 452

const refused = ({ code, text }: FtpReply): PrinterError =>
  refusedError(printerWords(text), code, {
    mayHaveHappened: false,
    isTransient: code >= 400 && code < 500 && code !== FULL_STORAGE,
  })

/**
 * Returns the port in a reply to EPSV (RFC 2428) or PASV (RFC 959). The address in a reply to PASV is
 * ignored.
 */
function portOf({ code, text }: FtpReply): number | null {
  const [, extended] = code === 229 ? (/\(\|\|\|(\d{1,5})\|\)/.exec(text) ?? []) : []
  const [, high, low] = code === 227 ? (/(\d{1,3}),(\d{1,3})\)?\D*$/.exec(text) ?? []) : []
  const port = extended === undefined ? Number(high) * 256 + Number(low) : Number(extended)
  return port >= 1 && port <= 65_535 ? port : null
}

/** Opens a connection with implicit TLS, checks the certificate, and signs in. Throws PrinterError. */
export async function openFtps(options: {
  sockets: DeviceSocket
  target: { host: string; port: number }
  user: string
  password: string
  check: CheckCertificate
  signal?: AbortSignal | undefined
}): Promise<FtpsClient> {
  const { sockets, target, signal } = options
  const { limits } = sockets
  const openTls = (to: { host: string; port: number }, session?: Buffer): Promise<TLSSocket> =>
    sockets.open(to, { signal, session }).catch((error: unknown) => {
      throw error instanceof DeviceCallError ? networkError(error) : error
    })
  const control = await openTls(target)
  let session: Buffer | undefined = control.getSession()
  // With TLS 1.3, the printer sends the TLS session only after the handshake.
  control.on('session', (renewed: Buffer) => {
    session = renewed
  })
  const replies = createReplies(control)
  const abort = () => control.destroy()
  signal?.addEventListener('abort', abort)

  const ask = async (line: string): Promise<FtpReply> => {
    control.write(`${line}\r\n`)
    return replies.next(limits.answerMs)
  }
  const must = async (line: string, ...codes: number[]): Promise<FtpReply> => {
    const reply = await ask(line)
    if (!codes.includes(reply.code)) throw refused(reply)
    return reply
  }
  const signIn = async (): Promise<void> => {
    // A line break in the password would start a second command.
    if (/[\r\n]/.test(options.password)) throw keyError()
    const greeting = await replies.next(limits.answerMs)
    if (greeting.code !== 220) throw refused(greeting)
    const user = await ask(`USER ${options.user}`)
    const answer = user.code === 331 ? await ask(`PASS ${options.password}`) : user
    if (answer.code === 530 || answer.code === 430) throw keyError()
    if (answer.code !== 230) throw refused(answer)
    await must('PBSZ 0', 200)
    await must('PROT P', 200)
    await must('TYPE I', 200)
  }
  const close = (): void => {
    signal?.removeEventListener('abort', abort)
    control.destroy()
  }

  const findPort = async (): Promise<number> => {
    const extended = await ask('EPSV')
    const port = portOf(extended.code === 229 ? extended : await must('PASV', 227))
    if (port === null) throw garbageError()
    return port
  }

  const send = async (data: TLSSocket, file: PrintFile): Promise<FtpReply> => {
    let isLate = false
    const stop = () => {
      isLate = true
      data.destroy()
    }
    const whole = setTimeout(stop, uploadLimitMs(limits, file.sizeBytes))
    let timer = setTimeout(stop, limits.uploadPauseMs)
    const restart = (): void => {
      clearTimeout(timer)
      timer = setTimeout(stop, limits.uploadPauseMs)
    }
    const abort = () => data.destroy()
    signal?.addEventListener('abort', abort)
    try {
      await writeStream(file.stream, data, restart)
      if (!data.closed)
        await new Promise<void>((resolve) => {
          data.once('close', resolve)
          data.end(resolve)
        })
      signal?.throwIfAborted()
      // The printer may treat the file as complete, although the upload was cut off.
      if (isLate) throw lost('too-slow')
      // Wait for the reply instead of the end of the connection, because some printers leave the connection
      // open.
      return await replies.next(limits.uploadPauseMs)
    } finally {
      clearTimeout(whole)
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      data.destroy()
    }
  }

  try {
    options.check(control)
    await signIn()
  } catch (error) {
    close()
    signal?.throwIfAborted()
    throw error
  }
  const findSize = async (name: string): Promise<number | null> => {
    const reply = await ask(`SIZE ${name}`)
    if (reply.code === 550) return null
    const size = reply.code === 213 ? Number(reply.text) : Number.NaN
    if (!Number.isSafeInteger(size)) throw reply.code === 213 ? garbageError() : refused(reply)
    return size
  }
  return {
    findSize,
    async remove(name) {
      const reply = await ask(`DELE ${name}`)
      // A printer sends the code 550 also if the file is in use, so check whether the file is gone.
      const isDone = reply.code === 250 || (reply.code === 550 && (await findSize(name)) === null)
      if (!isDone) throw refused(reply)
    },
    async store(name, file) {
      const port = await findPort()
      // Always connect to the address of the printer itself, because the address in its reply could belong to any
      // machine in the network. The printer answers the TLS handshake of this connection only after the next command.
      const opening = openTls({ host: control.remoteAddress ?? target.host, port }, session)
      opening.catch(() => undefined)
      const begun = await ask(`STOR ${name}`)
      if (begun.code !== 150 && begun.code !== 125) {
        void opening.then(
          (data) => data.destroy(),
          () => undefined,
        )
        throw refused(begun)
      }
      const data = await opening
      data.on('error', () => undefined)
      if (!data.isSessionReused()) options.check(data)
      const ended = await send(data, file)
      if (ended.code !== 226 && ended.code !== 250) throw refused(ended)
    },
    close,
  }
}

/**
 * Reads the replies on a control connection. A reply has one or several lines. A reply that is too long or malformed
 * ends the connection.
 */
function createReplies(control: TLSSocket): { next(timeoutMs: number): Promise<FtpReply> } {
  const arrived: FtpReply[] = []
  let waiting: PromiseWithResolvers<FtpReply> | null = null
  let failure: PrinterError | null = null
  let pending = ''

  const end = (error: PrinterError): void => {
    failure ??= error
    control.destroy()
    waiting?.reject(failure)
  }
  const take = (reply: FtpReply): void => {
    if (waiting) waiting.resolve(reply)
    else arrived.push(reply)
    waiting = null
  }
  control.setEncoding('utf8')
  control.on('data', (text: string) => {
    pending += text
    const lines = pending.split(/\r?\n/)
    pending = lines.pop() ?? ''
    if (
      pending.length > MAX_REPLY_BYTES ||
      lines.length > MAX_REPLY_LINES ||
      arrived.length > MAX_REPLY_LINES
    )
      return end(lost('too-large'))
    for (const line of lines) {
      const [, code, words = ''] = LAST_LINE.exec(line) ?? []
      if (code !== undefined) take({ code: Number(code), text: words })
      else if (!CONTINUED_LINE.test(line)) return end(garbageError())
    }
  })
  control.on('error', (error) => end(lost('broke-off', error)))
  control.on('close', () => end(lost('broke-off')))
  return {
    async next(timeoutMs) {
      const first = arrived.shift()
      if (first) return first
      if (failure) throw failure
      const own = Promise.withResolvers<FtpReply>()
      waiting = own
      const timer = setTimeout(() => end(lost('too-slow')), timeoutMs)
      try {
        return await own.promise
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
