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

const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
const box = (type: string, ...content: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(
    content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** A location in the format in which phones write it into a video. */
export const PLACE = '+48.2082+016.3738/'

/**
 * Returns a minimal MP4 or QuickTime file like a phone's: a track with `handler`, the location in three descriptions,
 * and a track with sensor data that contains the location as well.
 */
export const aMp4 = ({
  brand = 'isom',
  handler = 'vide',
  /** The offsets of the chunks of sensor data. Without them, there is one chunk, which contains the location. */
  chunks = undefined as readonly number[] | undefined,
  /** Whether another box lists samples too, as in a stream. */
  isFragmented = false,
  indexes = 1,
  /** The handler of the sensor track. */
  sensor = 'meta',
  /** The number of samples that the sensor track claims. The default is one sample per chunk. */
  samples = undefined as number | undefined,
  /** Number of empty boxes in the index. */
  emptyBoxes = 0,
  /** Bytes at the end of the index that are not a box. */
  rest = '',
  /** Size of the frames in bytes. If `chunks` is given, each chunk has this size, too. */
  frameBytes = 40,
} = {}): Buffer => {
  const ftyp = box('ftyp', brand, uint32(0), brand)
  const frames = Buffer.alloc(frameBytes, 7)
  const place = Buffer.from(PLACE)
  // The file has one chunk of frames, followed by one chunk of sensor data.
  const at = ftyp.length + 8
  const table = (offsets: readonly number[], length: number, count = offsets.length): Buffer =>
    box(
      'stbl',
      box('stsz', uint32(0, length, count)),
      box('stsc', uint32(0, 1, 1, 1, 1)),
      box('stco', uint32(0, offsets.length, ...offsets)),
    )
  const track = (kind: string, samples: Buffer, ...more: Buffer[]): Buffer =>
    box('trak', box('mdia', box('hdlr', uint32(0, 0), kind, uint32(0, 0, 0)), box('minf', samples)), ...more)
  const index = box(
    'moov',
    track(handler, table([at], frames.length), box('udta', box('name', PLACE))),
    track(sensor, table(chunks ?? [at + frames.length], chunks ? frameBytes : place.length, samples)),
    box('udta', box('\xa9xyz', uint32(0x00120000), PLACE)),
    box('meta', PLACE),
    box('gps ', PLACE),
    ...Array.from({ length: emptyBoxes }, () => box('free')),
    rest,
  )
  return Buffer.concat([
    ftyp,
    box('mdat', frames, place),
    ...Array.from({ length: indexes }, () => index),
    ...(isFragmented ? [box('moof', box('mfhd', uint32(0, 1)))] : []),
    box('free', PLACE),
    box('uuid', Buffer.alloc(16), PLACE),
  ])
}
