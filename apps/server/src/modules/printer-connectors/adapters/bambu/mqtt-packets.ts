import { CodedError } from '../../../../platform/errors/coded-error.ts'

/** The types of MQTT 3.1.1 packets that a client of one printer needs. https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/ */
export const PACKET = {
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  subscribe: 8,
  suback: 9,
  pingreq: 12,
  pingresp: 13,
  disconnect: 14,
} as const

export interface MqttPacket {
  type: number
  flags: number
  body: Buffer
}

/** Thrown if a packet is malformed, or longer than allowed. */
export class MqttPacketError extends CodedError {
  readonly code = 'MQTT_PACKET'
  readonly isTooLong: boolean

  constructor(message: string, { isTooLong = false } = {}) {
    super(message)
    this.isTooLong = isTooLong
  }
}

const MAX_LENGTH_BYTES = 4

/**
 * Packets of these types must have the value 2 in their flags. A message can have any flags, and all other packets have
 * the value 0.
 */
const FLAGGED = new Set<number>([6, PACKET.subscribe, 10])

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint16(bytes.length), bytes])
}

/** Encodes a packet. Its length is written in groups of seven bits, lowest first. */
function encode(type: number, flags: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length: number[] = []
  let rest = body.length
  do {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>= 7
  } while (rest > 0)
  return Buffer.concat([Buffer.from([(type << 4) | flags, ...length]), body])
}

/** Flags for user name, password and a clean session. */
const CONNECT_FLAGS = 0xc2
const PROTOCOL_LEVEL = 4

export const connectPacket = (client: {
  id: string
  user: string
  password: string
  keepAliveSeconds: number
}): Buffer =>
  encode(
    PACKET.connect,
    0,
    text('MQTT'),
    Buffer.from([PROTOCOL_LEVEL, CONNECT_FLAGS]),
    uint16(client.keepAliveSeconds),
    text(client.id),
    text(client.user),
    text(client.password),
  )

export const subscribePacket = (id: number, topic: string): Buffer =>
  encode(PACKET.subscribe, 2, uint16(id), text(topic), Buffer.from([0]))

/** Encodes a message that the other side has to acknowledge (QoS 1). */
export const publishPacket = (id: number, topic: string, payload: string): Buffer =>
  encode(PACKET.publish, 2, text(topic), uint16(id), Buffer.from(payload))

export const acknowledgePacket = (id: number): Buffer => encode(PACKET.puback, 0, uint16(id))
export const pingPacket = (): Buffer => encode(PACKET.pingreq, 0)
export const disconnectPacket = (): Buffer => encode(PACKET.disconnect, 0)

/** Returns the packet identifier at the beginning of an acknowledgment. */
export function idOf({ body }: MqttPacket): number {
  if (body.length < 2) throw new MqttPacketError('An acknowledgement has no number.')
  return body.readUInt16BE(0)
}

/** Parses a message. `id` is null if the message does not have to be acknowledged. */
export function parsePublish({ flags, body }: MqttPacket): {
  topic: string
  payload: Buffer
  id: number | null
} {
  const topicEnd = body.length < 2 ? Number.NaN : 2 + body.readUInt16BE(0)
  const isAcknowledged = (flags & 6) !== 0
  const start = topicEnd + (isAcknowledged ? 2 : 0)
  if (!(start <= body.length)) throw new MqttPacketError('A message is shorter than its topic.')
  return {
    topic: body.toString('utf8', 2, topicEnd),
    payload: body.subarray(start),
    id: isAcknowledged ? body.readUInt16BE(topicEnd) : null,
  }
}

/**
 * Creates a function that takes chunks of bytes and returns the packets that are complete. It throws MqttPacketError
 * for a malformed length, and as soon as the length of a packet exceeds `maxBytes`.
 */
export function createPacketReader(maxBytes: number): (chunk: Buffer) => MqttPacket[] {
  let chunks: Buffer[] = []
  let size = 0
  // Join chunks only when a packet may be complete. Otherwise, a packet that arrives byte by byte would be
  // copied again with each byte.
  let needed = 2
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    if (size < needed) return []
    let pending = Buffer.concat(chunks)
    const packets: MqttPacket[] = []
    for (;;) {
      const head = readHead(pending)
      if (head && head.length > maxBytes)
        throw new MqttPacketError(`A packet has ${head.length} bytes.`, { isTooLong: true })
      const end = head ? head.start + head.length : pending.length + 1
      if (pending.length < end) {
        chunks = [pending]
        size = pending.length
        needed = end
        return packets
      }
      const first = pending[0] ?? 0
      packets.push({ type: first >> 4, flags: first & 0x0f, body: pending.subarray(head?.start, end) })
      pending = pending.subarray(end)
    }
  }
}

/**
 * Parses the beginning of a packet. Returns null if the bytes end before the length of the packet. Throws
 * MqttPacketError for bytes that are not a packet.
 */
function readHead(bytes: Buffer): { start: number; length: number } | null {
  const [first] = bytes
  if (first === undefined) return null
  const [type, flags] = [first >> 4, first & 0x0f]
  if (type === 0 || (type !== PACKET.publish && flags !== (FLAGGED.has(type) ? 2 : 0)))
    throw new MqttPacketError(`No packet begins with the byte ${first}.`)
  let length = 0
  for (let at = 0; at < MAX_LENGTH_BYTES; at += 1) {
    const byte = bytes[1 + at]
    if (byte === undefined) return null
    length += (byte & 0x7f) << (7 * at)
    if ((byte & 0x80) === 0) return { start: 2 + at, length }
  }
  throw new MqttPacketError('The length of a packet has more than four bytes.')
}
