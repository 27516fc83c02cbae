import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { MeasureText, TextStyle } from '@pegasus/contracts/labels/label-layout'
import { unpackWoff2 } from './unpack-woff2.ts'
import { visualOrder } from './visual-order.ts'

const require = createRequire(import.meta.url)

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
interface FontLibrary {
  create(file: Buffer): Font
}

/** A font with its file, which is embedded in PDFs. The machine may have no fonts of its own. */
interface OpenFont {
  name: string
  file: Buffer
  font: Font
}

const readDejaVu = (name: string) => () => readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
const readSourceHan = (name: string) => () =>
  unpackWoff2(readFileSync(require.resolve(`@librescore/fonts/${name}.min.woff2`)))

const READERS = {
  DejaVuSans: readDejaVu('DejaVuSans'),
  'DejaVuSans-Bold': readDejaVu('DejaVuSans-Bold'),
  SourceHanSansCN: readSourceHan('SourceHanSansCN'),
  SourceHanSansKR: readSourceHan('SourceHanSansKR'),
}
type FontName = keyof typeof READERS

/**
 * The fonts for letters that the main font lacks, in the order in which they are tried: Chinese and Japanese, then
 * Korean.
 */
const OTHER_FONTS: readonly FontName[] = ['SourceHanSansCN', 'SourceHanSansKR']
/** The width of the outline that makes letters bold if their font has no bold letters, as a share of the text size. */
export const BOLD_LINE = 0.035

const opened = new Map<FontName, OpenFont>()

/**
 * Opens a font when it is first needed and keeps it, because reading a font takes longer than drawing a
 * sheet.
 */
function openFont(name: FontName): OpenFont {
  const known = opened.get(name)
  if (known) return known
  const ofPdf = createRequire(require.resolve('pdfkit'))
  const file = READERS[name]()
  const font = { name, file, font: (ofPdf('fontkit') as FontLibrary).create(file) }
  opened.set(name, font)
  return font
}

const mainFont = ({ isBold }: Pick<TextStyle, 'isBold'>): OpenFont =>
  openFont(isBold ? 'DejaVuSans-Bold' : 'DejaVuSans')

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Characters that nobody sees, such as joiners, variation selectors and blanks. A font needs no glyph for them. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]/u

const BLANK = /^\p{Z}$/u
/**
 * Emoji, flags and keycaps. If no font has a glyph for them they are left out, because a box in their place is useless.
 */
const EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u

/** A part of a text that has one writing direction and one font. */
export interface TextRun extends OpenFont {
  text: string
  /** Whether an outline makes the letters bold, because their font has no bold letters. */
  isOutlined: boolean
}

/** Whether the text has only ASCII characters, which every font has. Almost all texts do, and need no further work. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const hasGlyphs = ({ font }: OpenFont, letter: string): boolean =>
  [...letter].every((sign) => UNSEEN.test(sign) || font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0))

/** Returns the first font that has a glyph for the letter; null if there is none. */
function fontWith(letter: string, main: OpenFont): OpenFont | null {
  if (hasGlyphs(main, letter)) return main
  const other = OTHER_FONTS.find((name) => hasGlyphs(openFont(name), letter))
  return other === undefined ? null : openFont(other)
}

/**
 * Splits a text of one writing direction into runs, each with a single font. Blanks belong to the run before them if
 * its font has them. Emoji that no font has are left out.
 */
function fontRuns(text: string, style: Pick<TextStyle, 'isBold'>): TextRun[] {
  const main = mainFont(style)
  if (isPlain(text)) return [{ ...main, text, isOutlined: false }]
  const runs: TextRun[] = []
  for (const { segment } of letters.segment(text)) {
    const last = runs.at(-1)
    const hasBlank = BLANK.test(segment) && last?.font.hasGlyphForCodePoint(segment.codePointAt(0) ?? 0)
    const known = hasBlank ? last : fontWith(segment, main)
    if (!known && EMOJI.test(segment)) continue
    const font = known ?? main
    if (last && last.name === font.name) last.text += segment
    else runs.push({ ...font, text: segment, isOutlined: style.isBold && font.name !== main.name })
  }
  return runs
}

/** Splits a text into runs that each have one writing direction and one font, from left to right. */
export const textRuns = (text: string, style: Pick<TextStyle, 'isBold'>): TextRun[] =>
  visualOrder(text).flatMap((part) => fontRuns(part, style))

/**
 * Returns the letters of the text that no font has, each once. They are drawn as boxes. Missing emoji are not included.
 */
export function missingLetters(text: string, style: Pick<TextStyle, 'isBold'>): string[] {
  if (isPlain(text)) return []
  const main = mainFont(style)
  const pieces = Array.from(letters.segment(text), ({ segment }) => segment)
  return [...new Set(pieces.filter((letter) => fontWith(letter, main) === null))]
}

/**
 * The maximum number of cached widths, and of letters in a text whose width is cached. Words and single letters are
 * measured again and again.
 */
const KEPT_WIDTHS = 4096
const KEPT_LENGTH = 32
const widths = new Map<string, number>()

/**
 * Returns the width of a run as a share of the text size. The width is cached, because measuring takes most of the
 * time.
 */
function widthOf({ name, font, text }: TextRun): number {
  const key = `${name} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  const width = font.layout(text).advanceWidth / font.unitsPerEm
  if (text.length > KEPT_LENGTH) return width
  if (widths.size >= KEPT_WIDTHS) widths.clear()
  widths.set(key, width)
  return width
}

/** Returns the width of a text in millimeters. */
export const measureText: MeasureText = (text, style) =>
  textRuns(text, style).reduce((sum, run) => sum + widthOf(run) * style.sizeMm, 0)

/**
 * Draws a text as SVG paths, in the units of the picture. `x` and `y` are the position of the first letter.
 */
export function drawText(text: string, style: TextStyle, at: { x: number; y: number }): string {
  let x = at.x
  let drawn = ''
  for (const { font, text: run, isOutlined } of textRuns(text, style)) {
    const scale = style.sizeMm / font.unitsPerEm
    const line = isOutlined ? ` stroke="black" stroke-width="${font.unitsPerEm * BOLD_LINE}"` : ''
    const { glyphs, positions } = font.layout(run)
    for (const [index, glyph] of glyphs.entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      const outline = glyph.path.toSVG()
      const [left, top] = [x + xOffset * scale, at.y - yOffset * scale].map((value) => value.toFixed(4))
      // The y axis of a font points up.
      if (outline !== '')
        drawn += `<path${line} transform="translate(${left} ${top}) scale(${scale.toFixed(7)} -${scale.toFixed(7)})" d="${outline}"/>`
      x += xAdvance * scale
    }
  }
  return drawn
}
