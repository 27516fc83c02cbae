import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { cleanPicture } from './clean-picture.ts'

const PLACE = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '50/1 6/1 0/1',
  GPSLongitudeRef: 'E',
  GPSLongitude: '8/1 40/1 0/1',
}
const FORMATS = ['jpeg', 'png', 'webp'] as const

/** Returns a photo whose metadata contain its owner, its place and an orientation of 90°. */
const aPhoto = (format: (typeof FORMATS)[number]): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 24, channels: 3, background: '#3366cc' } })
    .toFormat(format)
    .withExif({ IFD0: { Artist: 'Ada Owner' }, IFD3: PLACE })
    .withMetadata({ orientation: 6 })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Ada Owner</x:xmpmeta>')
    .toBuffer()

const asFile = (bytes: Uint8Array): Blob => new Blob([Uint8Array.from(bytes)])

async function clean(bytes: Uint8Array): Promise<Buffer | null> {
  const cleaned = await cleanPicture(asFile(bytes))
  return cleaned && Buffer.from(await cleaned.arrayBuffer())
}

const pixelsOf = (bytes: Buffer): Promise<Buffer> => sharp(bytes).raw().toBuffer()

describe('pictures for a hosted project', () => {
  it.each(FORMATS)('cleaning a %s removes its place and its owner, and keeps every pixel', async (format) => {
    const photo = await aPhoto(format)
    expect(photo.includes('Ada Owner')).toBe(true)
    const cleaned = await clean(photo)
    if (!cleaned) throw new Error('The picture was refused.')
    expect(cleaned.includes('Ada Owner')).toBe(false)
    const { xmp, exif, format: kept } = await sharp(cleaned).metadata()
    expect([kept, xmp, (exif?.length ?? 0) < 40]).toEqual([format, undefined, true])
    expect(await pixelsOf(cleaned)).toEqual(await pixelsOf(photo))
    // A picture that is clean already stays as it is.
    expect(await clean(cleaned)).toEqual(cleaned)
  })

  it('cleaning a JPEG keeps its orientation, and removes the bytes after its end', async () => {
    const photo = await aPhoto('jpeg')
    const cleaned = await clean(Buffer.concat([photo, await aPhoto('jpeg'), Buffer.from('a film')]))
    if (!cleaned) throw new Error('The picture was refused.')
    expect((await sharp(cleaned).metadata()).orientation).toBe(6)
    expect(cleaned).toEqual(await clean(photo))
  })

  it('cleaning refuses other formats and damaged pictures', async () => {
    const gif = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .gif()
      .toBuffer()
    const damaged = await Promise.all(FORMATS.map(async (format) => (await aPhoto(format)).subarray(0, 60)))
    for (const bytes of [gif, ...damaged, new Uint8Array(0), Buffer.from('text')])
      expect(await clean(bytes)).toBeNull()
  })
})
