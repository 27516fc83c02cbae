import { createRequire } from 'node:module'
import type { MeasureText, TextStyle } from '@pegasus/contracts/labels/label-layout'

/**
 * Returns the path of a font, which is embedded in PDFs and used for drawing pictures. The machine may have
 * no fonts of its own.
 */
const fileOf = (name: string): string =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)
export const LETTER_FILES = { regular: fileOf('DejaVuSans'), bold: fileOf('DejaVuSans-Bold') } as const

/**
 * The parts of a font that we use. The PDF library uses the same font library, so measured widths match the
 * drawn text.
 */
interface Glyph {
  path: { toSVG(): string }
}
interface Font {
  unitsPerEm: number
  hasGlyphForCodePoint(codePoint: number): boolean
  layout(text: string): {
    glyphs: Glyph[]
    positions: { xAdvance: number; xOffset: number; yOffset: number }[]
    advanceWidth: number
  }
}
interface FontReader {
  openSync(file: string): Font
}

const opened = new Map<string, Font>()

/**
 * Opens a font when it is first needed and keeps it, because reading a font takes longer than drawing a
 * sheet.
 */
function fontOf({ isBold }: Pick<TextStyle, 'isBold'>): Font {
  const file = isBold ? LETTER_FILES.bold : LETTER_FILES.regular
  const known = opened.get(file)
  if (known) return known
  const ofPdf = createRequire(createRequire(import.meta.url).resolve('pdfkit'))
  const font = (ofPdf('fontkit') as FontReader).openSync(file)
  opened.set(file, font)
  return font
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const STRONG = /\p{L}/u

/**
 * Splits a text into runs that each have one writing direction, from left to right. Blanks, digits and
 * symbols belong to the run before them. Each run is laid out separately; the font library reverses its
 * letters if needed.
 */
export function directionRuns(text: string): string[] {
  const runs: { text: string; isRtl: boolean }[] = []
  for (const letter of text) {
    const last = runs.at(-1)
    const isRtl = STRONG.test(letter) ? RIGHT_TO_LEFT.test(letter) : (last?.isRtl ?? false)
    if (last && last.isRtl === isRtl) last.text += letter
    else runs.push({ text: letter, isRtl })
  }
  const pieces = runs.map((run) => run.text)
  return runs[0]?.isRtl ? pieces.toReversed() : pieces
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Joiners, variation selectors and blanks, for which the font needs no glyph. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]/u

/** Returns the letters of the text that the font lacks, each once. They would be drawn as boxes. */
export function missingLetters(text: string, style: Pick<TextStyle, 'isBold'>): string[] {
  // Almost all texts contain only letters that every font has.
  if (/^[\x20-\x7e]*$/.test(text)) return []
  const font = fontOf(style)
  const isMissing = (letter: string): boolean =>
    [...letter].some((sign) => !UNSEEN.test(sign) && !font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0))
  const pieces = Array.from(letters.segment(text), ({ segment }) => segment)
  return [...new Set(pieces.filter(isMissing))]
}

/** Returns the width of a text in millimeters. */
export const measureText: MeasureText = (text, style) => {
  const font = fontOf(style)
  const units = directionRuns(text).reduce((sum, run) => sum + font.layout(run).advanceWidth, 0)
  return (units / font.unitsPerEm) * style.sizeMm
}

/**
 * Draws a text as SVG paths, in the units of the picture. `x` and `y` are the position of the first letter.
 */
export function drawText(text: string, style: TextStyle, at: { x: number; y: number }): string {
  const font = fontOf(style)
  const scale = style.sizeMm / font.unitsPerEm
  let x = at.x
  let drawn = ''
  for (const run of directionRuns(text)) {
    const { glyphs, positions } = font.layout(run)
    for (const [index, glyph] of glyphs.entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      const outline = glyph.path.toSVG()
      const [left, top] = [x + xOffset * scale, at.y - yOffset * scale].map((value) => value.toFixed(4))
      // The y axis of a font points up.
      if (outline !== '')
        drawn += `<path transform="translate(${left} ${top}) scale(${scale.toFixed(7)} -${scale.toFixed(7)})" d="${outline}"/>`
      x += xAdvance * scale
    }
  }
  return drawn
}
