import decodeQr from 'qr/decode.js'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawQrCode } from './qr-code.ts'

/** Returns the text that a scanner reads when the picture is on a page of the given color. */
async function scan(svg: string, background: string): Promise<string> {
  const picture = sharp(Buffer.from(svg), { density: 300 }).resize(600, 600, { kernel: 'nearest' })
  const { data, info } = await picture
    .flatten({ background })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQr({ width: info.width, height: info.height, data })
}

const TEXTS = [
  'A',
  'otpauth://totp/localhost%3A3000:ann%2Bx%40example.com?issuer=localhost%3A3000&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
  `otpauth://totp/${'long'.repeat(150)}`,
  'Ünïcödé – 打印',
]

describe('QR codes', () => {
  it.each(TEXTS)('a QR code is decoded to its original text: %s', async (text) => {
    const svg = drawQrCode(text)
    expect(await scan(svg, 'white')).toBe(text)
    expect(await scan(svg, 'black')).toBe(text)
  })

  it('the SVG of a QR code can be used unchanged in a data URL', () => {
    expect(drawQrCode(TEXTS[1] ?? '')).toMatch(/^<svg [^#%]+<\/svg>$/)
  })
})
