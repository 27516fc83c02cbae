import type { Label, LabelField } from '@pegasus/contracts/labels/labels'
import type { LabelLayout } from '@pegasus/contracts/labels/label-layout'
import { type LabelCell, type LabelPaper, cellsOf } from '@pegasus/contracts/labels/label-papers'
import PDFDocument from 'pdfkit'
import { layOut } from './label-drawing.ts'
import { LETTER_FILES, directionRuns } from './fonts.ts'

const POINTS_PER_MM = 72 / 25.4

const points = (mm: number): number => mm * POINTS_PER_MM

/** The document's catalogue, which the library's types omit. Only here a document can say how it is to be printed. */
const rootOf = (pdf: PDFKit.PDFDocument): { data: Record<string, unknown> } =>
  (pdf as unknown as { _root: { data: Record<string, unknown> } })._root

/** The bars of a code as rectangles of the page. Parsing each as a general path took most of the time. */
const barsOf = (path: string): string => path.replace(/M(\d+) (\d+)h(\d+)v1h-\d+z/g, '$1 $2 $3 1 re\n')

/** Draws a label with its upper left corner at the origin, in points. */
function drawOnPage(pdf: PDFKit.PDFDocument, label: Label, { qr, lines }: LabelLayout) {
  pdf.save().translate(points(qr.x), points(qr.y)).scale(points(qr.moduleMm))
  pdf.fillColor('black').addContent(barsOf(label.qr.path)).addContent('f').restore()
  for (const line of lines) {
    pdf.font(line.isBold ? LETTER_FILES.bold : LETTER_FILES.regular).fontSize(points(line.sizeMm))
    let x = points(line.x)
    for (const run of directionRuns(line.text)) {
      pdf.text(run, x, points(line.baseline), { lineBreak: false, baseline: 'alphabetic' })
      x += pdf.widthOfString(run)
    }
  }
}

/**
 * Draws labels as a PDF, one after another from cell `startCell` on (the first is 1). Pages have the size of the
 * paper and ask to be printed unscaled, because scaling moves every label. A long run takes seconds of CPU, so it
 * runs in a worker thread.
 */
export function drawSheet(options: {
  labels: readonly Label[]
  paper: LabelPaper
  fields: readonly LabelField[]
  startCell: number
}): Promise<Buffer> {
  const { labels, paper, fields, startCell } = options
  const pdf = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    info: { Title: 'Labels' },
    pdfVersion: '1.7',
  })
  const chunks: Buffer[] = []
  const whole = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  rootOf(pdf).data.ViewerPreferences = pdf.ref({ PrintScaling: 'None' })
  const size = { width_mm: paper.label_width_mm, height_mm: paper.label_height_mm }
  const layouts = new Map<Label, LabelLayout>()
  let pages = 0
  const placeAt = (cell: LabelCell): void => {
    for (; pages <= cell.page; pages += 1)
      pdf.addPage({ size: [points(paper.page_width_mm), points(paper.page_height_mm)], margin: 0 })
  }
  for (const [index, cell] of cellsOf(paper, labels.length, startCell).entries()) {
    const label = labels[index]
    if (!label) continue
    const layout = layouts.get(label) ?? layOut(label, size, fields)
    layouts.set(label, layout)
    placeAt(cell)
    pdf.save().translate(points(cell.x_mm), points(cell.y_mm))
    drawOnPage(pdf, label, layout)
    pdf.restore()
  }
  pdf.end()
  return whole
}
