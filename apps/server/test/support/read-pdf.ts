import { inflateSync } from 'node:zlib'

/** Returns the compressed streams of a PDF as text, in their order, each with the id of its object. */
function streamsOf(pdf: Buffer): { id: number; text: string }[] {
  const streams = []
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1)) {
    const end = pdf.indexOf('\nendstream', at)
    if (end < 0) continue
    const packed = pdf.subarray(at + 'stream\n'.length, end)
    const head = pdf.subarray(Math.max(0, at - 400), at).toString('latin1')
    const id = Number([...head.matchAll(/(\d+) 0 obj/g)].at(-1)?.[1])
    try {
      streams.push({ id, text: inflateSync(packed).toString('latin1') })
    } catch {
      // Skip a stream that is not compressed.
    }
  }
  return streams
}

/** Converts the hexadecimal UTF-16 units of a code to text. A ligature has several units, separated by blanks. */
const unhex = (hex: string): string =>
  String.fromCharCode(...(hex.match(/[^ ]{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)))

/** Returns the letter for each code of each font. The key of a font is its name on the page. */
function fontsOf(
  pdf: Buffer,
  streams: readonly { id: number; text: string }[],
): Map<string, Map<string, string>> {
  const source = pdf.toString('latin1')
  const fonts = new Map<string, Map<string, string>>()
  for (const [, name = '', id = ''] of source.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const object = new RegExp(`\\b${id} 0 obj([\\s\\S]*?)endobj`).exec(source)?.[1] ?? ''
    const map = Number(/\/ToUnicode (\d+) 0 R/.exec(object)?.[1])
    const cmap = streams.find((stream) => stream.id === map)?.text ?? ''
    const letters = new Map<string, string>()
    for (const [, first = '', list = ''] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi))
      for (const [index, [, unicode = '']] of [...list.matchAll(/<([0-9a-f ]+)>/gi)].entries())
        letters.set((Number.parseInt(first, 16) + index).toString(16).padStart(4, '0'), unhex(unicode))
    fonts.set(name, letters)
  }
  return fonts
}

/** Returns the glyphs in one piece of text, in hexadecimal. The glyph 0000 is the box for a missing letter. */
const glyphsIn = (placed: string): string[] =>
  [...placed.matchAll(/<([0-9a-f]+)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])

/** Returns the glyphs of all texts in a PDF, in hexadecimal. */
export const readGlyphs = (pdf: Buffer): string[] =>
  streamsOf(pdf).flatMap(({ text }) =>
    [...text.matchAll(/\[([^\]]*)\] TJ/g)].flatMap(([, placed = '']) => glyphsIn(placed)),
  )

/** Returns the texts on each page of a PDF from pdfkit, one string for each piece of text that pdfkit placed. */
export function readPdf(pdf: Buffer): string[][] {
  const streams = streamsOf(pdf)
  const fonts = fontsOf(pdf, streams)
  const pages = streams.filter(({ text }) => /\bTJ\b/.test(text))
  return pages.map(({ text }) => {
    const texts: string[] = []
    let font = new Map<string, string>()
    for (const [, name, placed] of text.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name !== undefined) font = fonts.get(name) ?? new Map<string, string>()
      if (placed === undefined) continue
      texts.push(
        glyphsIn(placed)
          .map((glyph) => font.get(glyph.toLowerCase()) ?? '?')
          .join(''),
      )
    }
    return texts
  })
}
