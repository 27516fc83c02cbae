import { type Label, type LabelField, labelLines } from '@pegasus/contracts/labels/labels'
import { type LabelLayout, layOutLabel, QUIET_ZONE } from '@pegasus/contracts/labels/label-layout'
import type { Sharp } from 'sharp'
import { drawText, measureText } from '../../platform/pdf/fonts.ts'

const MM_PER_INCH = 25.4
/** Pixels per module of a QR code for which the request gives no size. */
const BARE_MODULE_PX = 8

export interface LabelSizeMm {
  width_mm: number
  height_mm: number
}

/** Returns the layout of a label of this size. */
export const layOut = (label: Label, size: LabelSizeMm, fields: readonly LabelField[]): LabelLayout =>
  layOutLabel({
    widthMm: size.width_mm,
    heightMm: size.height_mm,
    modules: label.qr.modules,
    lines: labelLines(label, fields),
    measure: measureText,
  })

const svg = (width: string, height: string, viewBox: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}">${content}</svg>`

/** Returns the QR code alone as SVG, with the empty margin that scanners need. */
export function drawBareCode({ qr }: Label): string {
  const side = qr.modules + 2 * QUIET_ZONE
  const white = `<path fill="white" d="M0 0h${side}v${side}h-${side}z"/>`
  const code = `<path shape-rendering="crispEdges" transform="translate(${QUIET_ZONE} ${QUIET_ZONE})" d="${qr.path}"/>`
  const px = String(side * BARE_MODULE_PX)
  return svg(px, px, `0 0 ${side} ${side}`, white + code)
}

/**
 * Returns a whole label as SVG, measured in millimeters. Letters are outlines, so that the label looks the same on
 * every printer.
 */
export function drawLabel(label: Label, size: LabelSizeMm, fields: readonly LabelField[]): string {
  const { qr, lines } = layOut(label, size, fields)
  const { width_mm: width, height_mm: height } = size
  const code = `<path shape-rendering="crispEdges" transform="translate(${qr.x} ${qr.y}) scale(${qr.moduleMm})" d="${label.qr.path}"/>`
  const words = lines.map((line) => drawText(line.text, line, { x: line.x, y: line.baseline })).join('')
  const white = `<path fill="white" d="M0 0h${width}v${height}h-${width}z"/>`
  return svg(`${width}mm`, `${height}mm`, `0 0 ${width} ${height}`, white + code + words)
}

// Import the image library only when it is needed. A server that prints no labels saves its memory.
async function paint(svgText: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svgText)).flatten({ background: 'white' })
}

/** Returns the QR code alone as a PNG. Each module has a whole number of pixels. */
export const paintBareCode = async (label: Label): Promise<Buffer> =>
  (await paint(drawBareCode(label))).png().toBuffer()

/**
 * Returns a whole label as a PNG for a printer with this many dots per inch. The PNG contains only black and white,
 * because scanners cannot read edges of dithered gray.
 */
export async function paintLabel(
  label: Label,
  options: { size: LabelSizeMm; fields: readonly LabelField[]; dpi: number },
): Promise<Buffer> {
  const { size, fields, dpi } = options
  const { qr, lines } = layOut(label, size, fields)
  const dots = (mm: number): number => (mm / MM_PER_INCH) * dpi
  const [width, height] = [size.width_mm, size.height_mm].map((mm) => Math.round(dots(mm)))
  // Each module gets a whole number of dots and begins at a whole dot. Otherwise some modules would be one dot wider.
  const moduleDots = Math.max(1, Math.round(dots(qr.moduleMm)))
  const [x, y] = [Math.round(dots(qr.x)), Math.round(dots(qr.y))]
  const code = `<path shape-rendering="crispEdges" transform="translate(${x} ${y}) scale(${moduleDots})" d="${label.qr.path}"/>`
  const perMm = dpi / MM_PER_INCH
  const words = lines.map((line) => drawText(line.text, line, { x: line.x, y: line.baseline })).join('')
  const picture = svg(
    String(width),
    String(height),
    `0 0 ${width} ${height}`,
    `${code}<g transform="scale(${perMm})">${words}</g>`,
  )
  return (await paint(picture))
    .greyscale()
    .threshold()
    .withMetadata({ density: dpi })
    .png({ palette: true, colours: 2 })
    .toBuffer()
}
