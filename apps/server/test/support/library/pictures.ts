import sharp from 'sharp'

/** Returns a picture with visible content in any format. `exif` adds metadata as a camera does. */
export const aPicture = (
  size: { width: number; height: number },
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' = 'jpeg',
): Promise<Buffer> =>
  sharp({ create: { ...size, channels: 3, background: '#c2410c' } })
    .composite([
      {
        input: { create: { width: 1, height: 1, channels: 3, background: '#000000' } },
        gravity: 'northwest',
      },
    ])
    .toFormat(format)
    .toBuffer()

/** Returns a picture as taken by a phone: rotated, and with a location. */
export const aPhoneJpeg = (): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#0369a1' } })
    .withExif({
      IFD0: { Make: 'Cam', Artist: 'Somebody' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '48/1 12/1 30/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '16/1 22/1 0/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

const vint = (value: number): Buffer => Buffer.from([0x80 | value])
const element = (id: string, content: Buffer): Buffer => {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(content.length) | (1n << 56n))
  return Buffer.concat([Buffer.from(id, 'hex'), length, content])
}

/** Returns a minimal WebM file with this document type and codec. */
export const aWebm = ({ docType = 'webm', codec = 'V_VP9' } = {}): Buffer => {
  const header = element('1a45dfa3', element('4282', Buffer.from(docType)))
  const track = element('ae', Buffer.concat([element('d7', vint(1)), element('86', Buffer.from(codec))]))
  const cluster = element('1f43b675', Buffer.alloc(200))
  return Buffer.concat([header, element('18538067', Buffer.concat([element('1654ae6b', track), cluster]))])
}
