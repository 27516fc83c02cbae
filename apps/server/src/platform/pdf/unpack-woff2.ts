import { brotliDecompressSync } from 'node:zlib'

/** The table tags to which a WOFF2 file refers by their position in this list. */
const TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX ' +
  'vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat ' +
  'fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
).match(/.{4}(?: |$)/g)
const OTHER_TAG = 63
const HEADER_BYTES = 48
/** Returns the length rounded up to a multiple of four, because each table of a font file begins at such a position. */
const padded = (length: number): number => (length + 3) & ~3

/**
 * Converts a WOFF2 font to OpenType. The font library can read WOFF2 itself, but takes a second to decompress it in
 * JavaScript. Throws if a table is transformed, which only happens in fonts with TrueType outlines.
 */
export function unpackWoff2(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOF2') throw new Error('This is not a WOFF2 file.')
  let at = HEADER_BYTES
  const readBase128 = (): number => {
    let value = 0
    for (;;) {
      const byte = file.readUInt8(at++)
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
  }
  const tables = Array.from({ length: file.readUInt16BE(12) }, () => {
    const flags = file.readUInt8(at++)
    const known = TAGS?.[flags & OTHER_TAG]?.slice(0, 4)
    const tag = known ?? file.toString('latin1', at, (at += 4))
    const version = flags >> 6
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
    if (isTransformed) throw new Error(`The table ${tag} of this font is transformed.`)
    return { tag, length: readBase128() }
  })
  const content = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)))

  const headBytes = 12 + 16 * tables.length
  const font = Buffer.alloc(tables.reduce((sum, { length }) => sum + padded(length), headBytes))
  file.copy(font, 0, 4, 8)
  font.writeUInt16BE(tables.length, 4)
  let from = 0
  let to = headBytes
  for (const [index, { tag, length }] of tables.entries()) {
    const entry = 12 + 16 * index
    font.write(tag, entry, 'latin1')
    font.writeUInt32BE(to, entry + 8)
    font.writeUInt32BE(length, entry + 12)
    content.copy(font, to, from, from + length)
    from += length
    to += padded(length)
  }
  return font
}
