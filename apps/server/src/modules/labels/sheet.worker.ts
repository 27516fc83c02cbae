import { move } from 'piscina'
import { traceQrCode } from '../../platform/qr-code.ts'
import type { LabelToDraw, SheetRequest } from './sheet.protocol.ts'
import type { Label, LabelField } from '@pegasus/contracts/labels/labels'
import type { LabelLayout } from '@pegasus/contracts/labels/label-layout'
import { type LabelCell, type LabelPaper, cellsOf } from '@pegasus/contracts/labels/label-papers'
import { makePdf, placeCode, placeText, points } from '../../platform/pdf/pdf-document.ts'
import { layOut } from './label-drawing.ts'
import { drawQuickStart } from './quick-start.ts'

/**
 * Draws labels as a PDF, one after another. The first label is in cell `startCell`, counted from 1. Each page has the
 * size of the paper. Runs in a worker thread, because many labels take seconds of CPU time.
 */
function drawSheet(options: {
  labels: readonly Label[]
  paper: LabelPaper
  fields: readonly LabelField[]
  startCell: number
}): Promise<Buffer> {
  const { labels, paper, fields, startCell } = options
  const size = { width_mm: paper.label_width_mm, height_mm: paper.label_height_mm }
  const layouts = new Map<Label, LabelLayout>()
  return makePdf('Labels', (pdf) => {
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
      placeCode(pdf, label.qr.path, layout.qr)
      for (const line of layout.lines) placeText(pdf, line)
      pdf.restore()
    }
  })
}

/** Returns the copies of a label as one shared object, so that the layout of its text is computed only once. */
const copiesOf = ({ copies, ...words }: LabelToDraw) => {
  const label = { ...words, qr: traceQrCode(words.payload) }
  return Array.from({ length: copies }, () => label)
}

/** Returns labels or the quick start as a PDF. Runs in a worker thread. */
export default async function draw(request: SheetRequest) {
  const pdf =
    'quickStart' in request
      ? await drawQuickStart(request.quickStart)
      : await drawSheet({ ...request.sheet, labels: request.sheet.labels.flatMap(copiesOf) })
  // Copy the bytes into memory of their own, so that they can be moved to another thread.
  return move(new Uint8Array(pdf))
}
