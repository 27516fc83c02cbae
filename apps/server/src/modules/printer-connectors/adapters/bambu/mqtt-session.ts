import type { Socket } from 'node:net'
import { MINUTE_MS } from '../../../../platform/clock.ts'
import { DeviceCallError, type DeviceFault } from '../../../../platform/outbound/device-fault.ts'
import { PrinterError } from '../../connector.ts'
import { garbageError, keyError, networkError, refusedError } from '../../printer-errors.ts'
import {
  type MqttPacket,
  MqttPacketError,
  PACKET,
  acknowledgePacket,
  connectPacket,
  createPacketReader,
  disconnectPacket,
  idOf,
  parsePublish,
  pingPacket,
  publishPacket,
  subscribePacket,
} from './mqtt-packets.ts'

const KEEP_ALIVE_SECONDS = 60
/** Maximum size of a packet. A full report of a printer has about 20 kB. */
const MAX_PACKET_BYTES = 512 * 1024
/**
 * Maximum number of bytes per minute. A printer reports about once a second, so a connection with much more data is
 * closed.
 */
const MAX_BYTES_PER_MINUTE = 32 * 1024 * 1024
const WRONG_USER = new Set([4, 5])
const MAX_ID = 0xffff

/**
 * A connection to the broker of one printer. After an error, the connection is closed and every call throws
 * PrinterError.
 */
export interface MqttSession {
  readonly isOpen: boolean
  /** Sends a message. Resolves when the printer has acknowledged it. */
  publish(topic: string, payload: string): Promise<void>
  /**
   * Resolves when the printer has responded. All messages that the printer sent before the response have been
   * handled by then.
   */
  ping(): Promise<void>
  /**
   * Waits until `settle` is called with this name. Fails if the connection ends or the event does not occur
   * in time.
   */
  wait(name: string): Promise<void>
  /** Ends a wait. If an error is given, the wait fails with it. */
  settle(name: string, error?: PrinterError): void
  close(): void
}

/**
 * Signs in to the broker at the other end of a connection, and receives the messages of a topic. Throws PrinterError.
 * https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/
 */
export async function openMqttSession(
  socket: Socket,
  options: {
    clientId: string
    user: string
    password: string
    topic: string
    answerMs: number
    /** Throws if the connection must end because the printer sends invalid data. */
    onMessage(payload: Buffer, session: MqttSession): void
  },
): Promise<MqttSession> {
  const { answerMs, topic } = options
  // If several waits have the same name, the oldest one ends first.
  const waits: { name: string; waiting: PromiseWithResolvers<void> }[] = []
  let failure: PrinterError | null = null
  let id = 0
  let traffic = { sinceMs: performance.now(), bytes: 0 }

  const end = (error: PrinterError): void => {
    failure ??= error
    socket.destroy()
    for (const { waiting } of waits.splice(0)) waiting.reject(failure)
  }
  const lost = (fault: DeviceFault, cause?: unknown): PrinterError =>
    networkError(new DeviceCallError(fault, { wasSent: true, cause }))

  const wait = async (name: string): Promise<void> => {
    if (failure) throw failure
    const waiting = Promise.withResolvers<void>()
    waits.push({ name, waiting })
    const timer = setTimeout(() => end(lost('too-slow')), answerMs)
    try {
      await waiting.promise
    } finally {
      clearTimeout(timer)
    }
  }
  const settle = (name: string, error?: PrinterError): void => {
    const at = waits.findIndex((each) => each.name === name)
    const [found] = at === -1 ? [] : waits.splice(at, 1)
    if (error) found?.waiting.reject(error)
    else found?.waiting.resolve()
  }
  const send = (packet: Buffer, answer: string): Promise<void> => {
    const answered = wait(answer)
    if (!failure) socket.write(packet)
    return answered
  }
  const nextId = (): number => {
    id = id >= MAX_ID ? 1 : id + 1
    return id
  }

  const session: MqttSession = {
    get isOpen() {
      return failure === null
    },
    publish(to, payload) {
      const number = nextId()
      return send(publishPacket(number, to, payload), `puback ${number}`)
    },
    ping: () => send(pingPacket(), 'pingresp'),
    wait,
    settle,
    close() {
      if (!failure) socket.end(disconnectPacket())
      end(lost('unreachable'))
    },
  }

  const handle = (packet: MqttPacket): void => {
    switch (packet.type) {
      case PACKET.connack:
        return settle('connack', connackError(packet))
      case PACKET.suback:
        return settle(`suback ${idOf(packet)}`, packet.body[2] === 0x80 ? keyError() : undefined)
      case PACKET.puback:
        return settle(`puback ${idOf(packet)}`)
      case PACKET.pingresp:
        return settle('pingresp')
      case PACKET.publish: {
        const message = parsePublish(packet)
        if (message.id !== null) socket.write(acknowledgePacket(message.id))
        return message.topic === topic ? options.onMessage(message.payload, session) : undefined
      }
      default:
        throw new MqttPacketError(`A broker does not send packets of type ${packet.type}.`)
    }
  }

  const isTooMuch = (bytes: number): boolean => {
    const nowMs = performance.now()
    if (nowMs - traffic.sinceMs > MINUTE_MS) traffic = { sinceMs: nowMs, bytes: 0 }
    traffic.bytes += bytes
    return traffic.bytes > MAX_BYTES_PER_MINUTE
  }
  const readPackets = createPacketReader(MAX_PACKET_BYTES)
  socket.on('data', (chunk: Buffer) => {
    if (failure) return
    if (isTooMuch(chunk.length)) return end(lost('too-large'))
    try {
      for (const packet of readPackets(chunk)) handle(packet)
    } catch (error) {
      const isTooLong = error instanceof MqttPacketError && error.isTooLong
      end(isTooLong ? lost('too-large', error) : garbageError(error))
    }
  })
  socket.on('error', (error) => end(lost('broke-off', error)))
  socket.on('close', () => end(lost('broke-off')))

  const { clientId, user, password } = options
  const client = { id: clientId, user, password, keepAliveSeconds: KEEP_ALIVE_SECONDS }
  try {
    await send(connectPacket(client), 'connack')
    const number = nextId()
    await send(subscribePacket(number, topic), `suback ${number}`)
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

function connackError({ body }: MqttPacket): PrinterError | undefined {
  const code = body[1] ?? Number.NaN
  if (code === 0) return undefined
  return WRONG_USER.has(code) ? keyError() : refusedError(null, `MQTT ${code}`, { mayHaveHappened: false })
}
