/** The tags of DER (X.690) that certificates use. */
export const DER = {
  integer: 0x02,
  bits: 0x03,
  sequence: 0x30,
  set: 0x31,
  text: 0x0c,
  utcTime: 0x17,
} as const

/** Encodes a value in DER (X.690): tag, length and content. The content must be shorter than 64 KiB. */
export function der(tag: number, ...parts: (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Uint8Array.from(part)))
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Uint8Array.from([tag, ...size]), content])
}

/** Encodes a time. The time must be before 2050. */
export const derTime = (at: Date): Buffer =>
  der(
    DER.utcTime,
    Buffer.from(
      `${at
        .toISOString()
        .replace(/[-:T]|\..*/g, '')
        .slice(2)}Z`,
    ),
  )
