import PDFDocument from 'pdfkit'
import { BOLD_LINE, textRuns } from './fonts.ts'

const POINTS_PER_MM = 72 / 25.4

/** Converts millimeters to points, the unit of a PDF. */
export const points = (mm: number): number => mm * POINTS_PER_MM

/** Returns the catalog of a PDF, which says how to print it. The library's types lack the catalog. */
const rootOf = (pdf: PDFKit.PDFDocument): { data: Record<string, unknown> } =>
  (pdf as unknown as { _root: { data: Record<string, unknown> } })._root

/**
 * Creates a PDF with `draw` and returns its bytes. The PDF has no pages until `draw` adds them. It tells programs to
 * print it unscaled, because scaling would move the labels.
 */
export function makePdf(title: string, draw: (pdf: PDFKit.PDFDocument) => void): Promise<Buffer> {
  const pdf = new PDFDocument({ autoFirstPage: false, margin: 0, info: { Title: title }, pdfVersion: '1.7' })
  const chunks: Buffer[] = []
  const whole = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  rootOf(pdf).data.ViewerPreferences = pdf.ref({ PrintScaling: 'None' })
  draw(pdf)
  pdf.end()
  return whole
}

/**
 * Converts the SVG path of a QR code to rectangles of a PDF. The library can draw any SVG path, but took most of the
 * time to parse it.
 */
const barsOf = (path: string): string => path.replace(/M(\d+) (\d+)h(\d+)v1h-\d+z/g, '$1 $2 $3 1 re\n')

/** Draws the dark modules of a QR code. Positions and sizes are in millimeters. */
export function placeCode(
  pdf: PDFKit.PDFDocument,
  path: string,
  { x, y, moduleMm }: { x: number; y: number; moduleMm: number },
): void {
  pdf.save().translate(points(x), points(y)).scale(points(moduleMm))
  pdf.fillColor('black').addContent(barsOf(path)).addContent('f').restore()
}

export interface PdfText {
  text: string
  /** The left end of the text. `y` is its baseline. Both in millimeters. */
  x: number
  baseline: number
  sizeMm: number
  isBold?: boolean
}

/** Draws a text on one line. The text may contain both writing directions, and letters that need different fonts. */
export function placeText(pdf: PDFKit.PDFDocument, line: PdfText): void {
  const size = points(line.sizeMm)
  let x = points(line.x)
  for (const { name, file, text, isOutlined } of textRuns(line.text, { isBold: line.isBold ?? false })) {
    // The library embeds a font only once, even if it is registered again under the same name.
    pdf.registerFont(name, file).font(name).fontSize(size)
    if (isOutlined) pdf.lineWidth(size * BOLD_LINE)
    pdf.text(text, x, points(line.baseline), {
      lineBreak: false,
      baseline: 'alphabetic',
      ...(isOutlined && { fill: true, stroke: true }),
    })
    x += pdf.widthOfString(text)
  }
}
