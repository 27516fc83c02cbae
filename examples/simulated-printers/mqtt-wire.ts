/** A packet that a client sends to the broker. Only the packets of MQTT 3.1.1 that a printer needs are listed. */
export type ClientPacket =
  | { kind: 'connect'; user: string; password: string }
  | { kind: 'subscribe'; id: number; topic: string }
  | { kind: 'publish'; id: number; topic: string; payload: string }
  | { kind: 'ping' }
  | { kind: 'other' }

/** Creates a reader of consecutive texts and numbers. */
function createCursor(bytes: Buffer) {
  let at = 0
  const number = (): number => {
    at += 2
    return bytes.readUInt16BE(at - 2)
  }
  return {
    number,
    text(): string {
      const length = number()
      at += length
      return bytes.toString('utf8', at - length, at)
    },
    skip(count: number) {
      at += count
    },
    rest: () => bytes.toString('utf8', at),
  }
}

function parse(first: number, body: Buffer): ClientPacket {
  const cursor = createCursor(body)
  switch (first) {
    case 0x10: {
      // A connect packet contains the name of the protocol, its level, flags, the keep-alive time, and the
      // name of the client.
      const PROTOCOL_LEVEL_BYTES = 1
      const FLAGS_BYTES = 1
      const KEEP_ALIVE_BYTES = 2
      cursor.text()
      cursor.skip(PROTOCOL_LEVEL_BYTES + FLAGS_BYTES + KEEP_ALIVE_BYTES)
      cursor.text()
      return { kind: 'connect', user: cursor.text(), password: cursor.text() }
    }
    case 0x82:
      return { kind: 'subscribe', id: cursor.number(), topic: cursor.text() }
    case 0x32: {
      const topic = cursor.text()
      return { kind: 'publish', topic, id: cursor.number(), payload: cursor.rest() }
    }
    case 0xc0:
      return { kind: 'ping' }
    default:
      return { kind: 'other' }
  }
}

/** Creates a function that takes bytes from a client and returns the packets that are complete. */
export function createClientReader(): (chunk: Buffer) => ClientPacket[] {
  let bytes = Buffer.alloc(0)
  return (chunk) => {
    bytes = Buffer.concat([bytes, chunk])
    const packets: ClientPacket[] = []
    for (;;) {
      const more = bytes.subarray(1, 5).findIndex((byte) => byte < 128)
      if (more === -1) return packets
      const length = [...bytes.subarray(1, more + 2)].reduce(
        (sum, byte, index) => sum + (byte % 128) * 128 ** index,
        0,
      )
      const end = more + 2 + length
      if (bytes.length < end) return packets
      packets.push(parse(bytes[0] ?? 0, bytes.subarray(more + 2, end)))
      bytes = bytes.subarray(end)
    }
  }
}

const packet = (first: number, body: Buffer): Buffer => {
  const digits: number[] = []
  for (let rest = body.length; digits.length === 0 || rest > 0; rest = Math.floor(rest / 128))
    digits.push((rest % 128) + (rest >= 128 ? 128 : 0))
  return Buffer.concat([Buffer.from([first, ...digits]), body])
}

const number = (value: number): Buffer => Buffer.from([Math.floor(value / 256), value % 256])

/** Functions that build the packets of the broker. */
export const brokerPacket = {
  connected: (code: number) => packet(0x20, Buffer.from([0, code])),
  subscribed: (id: number) => packet(0x90, Buffer.concat([number(id), Buffer.from([0])])),
  acknowledged: (id: number) => packet(0x40, number(id)),
  pong: () => packet(0xd0, Buffer.alloc(0)),
  message: (topic: string, payload: string) =>
    packet(0x30, Buffer.concat([number(Buffer.byteLength(topic)), Buffer.from(topic + payload)])),
}
