import { describe, expect, it } from 'vitest'
import {
  MqttPacketError,
  connectPacket,
  createPacketReader,
  idOf,
  parsePublish,
  pingPacket,
  publishPacket,
  subscribePacket,
} from './mqtt-packets.ts'

const MAX_BYTES = 1000
const hex = (bytes: Buffer): string => bytes.toString('hex')

describe('MQTT packets to a broker', () => {
  it.each([
    [
      'connect',
      connectPacket({ id: 'a', user: 'bblp', password: '12', keepAliveSeconds: 60 }),
      '101700044d51545404c2003c00016100046262' + '6c7000023132',
    ],
    ['subscribe', subscribePacket(7, 'a/b'), '82080007' + '0003612f6200'],
    ['publish with acknowledgement', publishPacket(258, 'a', '{}'), '32070001610102' + '7b7d'],
    ['ping', pingPacket(), 'c000'],
  ])('the packet "%s" has the bytes of the specification', (_, packet, expected) =>
    expect(hex(packet)).toBe(expected),
  )

  it('the length of an MQTT packet above 127 bytes is written in several bytes', () => {
    const packet = publishPacket(1, 'a', 'x'.repeat(400))
    expect(hex(packet.subarray(0, 3))).toBe('329503')
    expect(createPacketReader(MAX_BYTES)(packet)[0]?.body).toHaveLength(405)
  })
})

describe('MQTT packets from a broker', () => {
  it('the MQTT packets are the same, however their bytes are divided into chunks', () => {
    const bytes = Buffer.concat([
      publishPacket(1, 'a', 'x'.repeat(300)),
      pingPacket(),
      publishPacket(2, 'b', ''),
    ])
    const whole = createPacketReader(MAX_BYTES)(bytes)
    const read = createPacketReader(MAX_BYTES)
    const byByte = [...bytes].flatMap((byte) => read(Buffer.from([byte])))
    expect(byByte).toEqual(whole)
    expect(whole.map(({ type }) => type)).toEqual([3, 12, 3])
    expect(parsePublish(whole[0]!)).toEqual({ topic: 'a', id: 1, payload: Buffer.from('x'.repeat(300)) })
  })

  it('an MQTT packet above the limit is refused when its length has arrived, before its content', () => {
    expect(() => createPacketReader(MAX_BYTES)(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]))).toThrow(
      expect.objectContaining({ isTooLong: true }),
    )
  })

  it('bytes of a protocol other than MQTT are refused at the first byte', () => {
    for (const text of ['HTTP/1.1 400 Bad Request', '\u0000\u0000'])
      expect(() => createPacketReader(MAX_BYTES)(Buffer.from(text))).toThrow(MqttPacketError)
  })

  it('an MQTT length of five bytes, a topic beyond the end and an acknowledgment without a number are refused', () => {
    const read = createPacketReader(MAX_BYTES)
    expect(() => read(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01]))).toThrow(MqttPacketError)
    for (const body of [[], [0], [0, 9, 0x61], [0, 1, 0x61]])
      expect(() => parsePublish({ type: 3, flags: 2, body: Buffer.from(body) })).toThrow(MqttPacketError)
    expect(() => idOf({ type: 4, flags: 0, body: Buffer.from([1]) })).toThrow(MqttPacketError)
  })
})
