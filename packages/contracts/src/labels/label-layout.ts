/**
 * Layout of a label in millimeters. The server, which prints labels, and the browser, which shows them, use
 * the same code.
 */

/**
 * Size of one dot of a common label printer with 203 dots per inch. The modules (squares) of a QR code are a whole
 * number of dots wide, so that their edges are sharp.
 */
const DOT_MM = 25.4 / 203
/** Empty space that scanners need around a QR code, in modules (ISO/IEC 18004). */
export const QUIET_ZONE = 4
/** Maximum side length of a QR code. Larger codes do not scan better. */
const MAX_QR_MM = 18
const MIN_MODULE_DOTS = 2

const MARGIN_MM = 1.5
const LINE_HEIGHT = 1.25
const NAME_SCALE = 1.1
const NAME_LINES = 2
const LARGEST_TEXT_MM = 3.4
/** Names shrink to this size before they are shortened. */
const COMFORTABLE_TEXT_MM = 2.2
const SMALLEST_TEXT_MM = 1.7
const TEXT_STEP_MM = 0.1
/** Distance from the top of a line to its baseline, as a share of the letter height. */
const BASELINE = 0.95

export interface TextStyle {
  sizeMm: number
  isBold: boolean
}

/** Measures the width of a text in millimeters, in the font in which it is printed. */
export type MeasureText = (text: string, style: TextStyle) => number

/** One line of content. Lines are listed in order of importance, and the name may take two lines. */
export interface LabelLine {
  field: 'name' | 'code' | 'sku' | 'location' | 'price'
  text: string
}

interface PlacedLine extends TextStyle {
  text: string
  x: number
  /** The y position of the baseline. */
  baseline: number
  /** Measured width. */
  widthMm: number
}

export interface LabelLayout {
  /**
   * `x` and `y` are the upper left corner of the QR code. `sizeMm` is its side length without the quiet zone, and
   * `moduleMm` the side length of one module.
   */
  qr: { x: number; y: number; sizeMm: number; moduleMm: number }
  lines: PlacedLine[]
  /** Fields that did not fit. */
  leftOut: LabelLine['field'][]
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Returns the text if it fits, otherwise its longest beginning that fits with an ellipsis. */
export function shorten(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text
  const pieces = Array.from(letters.segment(text), ({ segment }) => segment)
  let [low, high] = [0, pieces.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(`${pieces.slice(0, middle).join('').trimEnd()}…`)) low = middle
    else high = middle - 1
  }
  return `${pieces.slice(0, low).join('').trimEnd()}…`
}

/**
 * Breaks a text between words into at most `most` lines. The last line is shortened if the text is too long.
 */
function wrap(text: string, most: number, fits: (text: string) => boolean): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const lines: string[] = []
  while (words.length > 0 && lines.length < most - 1) {
    let line = words[0] ?? ''
    let taken = 1
    for (let next = words[taken]; next !== undefined && fits(`${line} ${next}`); next = words[taken]) {
      line += ` ${next}`
      taken += 1
    }
    // A word that is wider than the label is shortened instead of broken, and the text ends there.
    if (!fits(line)) break
    lines.push(line)
    words.splice(0, taken)
  }
  return words.length > 0 ? [...lines, shorten(words.join(' '), fits)] : lines
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Places the largest code that fits. Its modules have a whole number of dots. */
function placeQr(box: Box, modules: number): LabelLayout['qr'] & { blockMm: number } {
  const space = Math.min(box.width, box.height)
  const fitting = Math.floor(space / (modules + 2 * QUIET_ZONE) / DOT_MM)
  const useful = Math.floor(MAX_QR_MM / modules / DOT_MM)
  const dots = Math.min(fitting, Math.max(useful, MIN_MODULE_DOTS))
  const moduleMm = dots >= MIN_MODULE_DOTS ? dots * DOT_MM : space / (modules + 2 * QUIET_ZONE)
  const blockMm = (modules + 2 * QUIET_ZONE) * moduleMm
  const quietMm = QUIET_ZONE * moduleMm
  return {
    x: box.x + quietMm,
    y: box.y + (box.height - blockMm) / 2 + quietMm,
    sizeMm: modules * moduleMm,
    moduleMm,
    blockMm,
  }
}

/** Places the lines with letters of the size `sizeMm`. Also returns whether all lines fit without being shortened. */
function setLines(wanted: readonly LabelLine[], box: Box, sizeMm: number, measure: MeasureText) {
  let y = 0
  let isWhole = true
  const lines: PlacedLine[] = []
  for (const { field, text } of wanted) {
    const style = { sizeMm: field === 'name' ? sizeMm * NAME_SCALE : sizeMm, isBold: field === 'name' }
    const fits = (part: string): boolean => measure(part, style) <= box.width
    for (const line of wrap(text, field === 'name' ? NAME_LINES : 1, fits)) {
      isWhole &&= !line.endsWith('…') || text.endsWith('…')
      const widthMm = Math.min(measure(line, style), box.width)
      lines.push({ ...style, text: line, x: box.x, baseline: y + style.sizeMm * BASELINE, widthMm })
      y += style.sizeMm * LINE_HEIGHT
    }
  }
  return { lines, heightMm: y, isWhole, fits: y <= box.height }
}

/**
 * Picks the largest text size at which everything fits, otherwise the largest comfortable size. If lines do
 * not fit, the last ones are left out.
 */
function fillText(lines: readonly LabelLine[], box: Box, measure: MeasureText) {
  const steps = Math.round((LARGEST_TEXT_MM - SMALLEST_TEXT_MM) / TEXT_STEP_MM)
  const sizes = Array.from({ length: steps + 1 }, (_, step) => LARGEST_TEXT_MM - step * TEXT_STEP_MM)
  for (let count = lines.length; count > 0; count -= 1) {
    let best: ReturnType<typeof setLines> | null = null
    for (const size of sizes) {
      const set = setLines(lines.slice(0, count), box, size, measure)
      if (!set.fits) continue
      // Down to the comfortable size, the text shrinks to show more of a long name. Below that size, it shrinks only if
      // nothing fits at a larger size.
      if (best === null || size >= COMFORTABLE_TEXT_MM) best = set
      if (set.isWhole || size < COMFORTABLE_TEXT_MM) break
    }
    if (best) return { ...best, leftOut: lines.slice(count).map(({ field }) => field) }
  }
  return { lines: [], heightMm: 0, leftOut: lines.map(({ field }) => field) }
}

/** Returns a `measure` that measures each text only once, because the width is proportional to the text size. */
function measureOnce(measure: MeasureText): MeasureText {
  const widths = new Map<string, number>()
  return (text, { sizeMm, isBold }) => {
    const key = `${isBold ? 'b' : 'r'}${text}`
    let width = widths.get(key)
    if (width === undefined) {
      width = measure(text, { sizeMm: 1, isBold })
      widths.set(key, width)
    }
    return width * sizeMm
  }
}

/**
 * Lays out a label. The code is at the left of the text, or above it on a nearly square label. `modules` is
 * the number of modules on a side of the QR code, without its quiet zone.
 */
export function layOutLabel(options: {
  widthMm: number
  heightMm: number
  modules: number
  lines: readonly LabelLine[]
  measure: MeasureText
}): LabelLayout {
  const { widthMm, heightMm, modules } = options
  const measure = measureOnce(options.measure)
  const lines = options.lines.filter(({ text }) => text.trim() !== '')
  const isBeside = widthMm >= heightMm * LINE_HEIGHT
  const isBare = lines.length === 0
  const qrBox: Box = isBeside
    ? { x: 0, y: 0, width: isBare ? widthMm : widthMm / 2, height: heightMm }
    : { x: 0, y: 0, width: widthMm, height: isBare ? heightMm : heightMm * 0.62 }
  const { blockMm, ...qr } = placeQr(qrBox, modules)
  if (!isBeside || isBare) qr.x = (widthMm - qr.sizeMm) / 2
  const textBox: Box = isBeside
    ? { x: blockMm, y: MARGIN_MM, width: widthMm - blockMm - MARGIN_MM, height: heightMm - 2 * MARGIN_MM }
    : {
        x: MARGIN_MM,
        y: qrBox.height,
        width: widthMm - 2 * MARGIN_MM,
        height: heightMm - qrBox.height - MARGIN_MM,
      }
  const text = fillText(lines, textBox, measure)
  // Text beside the code is centered vertically. Text below the code starts right under it.
  const top = textBox.y + (isBeside ? (textBox.height - text.heightMm) / 2 : 0)
  const placed = text.lines.map((line) => ({
    ...line,
    x: isBeside ? line.x : (widthMm - line.widthMm) / 2,
    baseline: line.baseline + top,
  }))
  return { qr, lines: placed, leftOut: text.leftOut }
}
