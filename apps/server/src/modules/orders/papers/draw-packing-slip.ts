import { measureText } from '../../../platform/pdf/fonts.ts'
import { makePdf, placeCode, placeText, points } from '../../../platform/pdf/pdf-document.ts'
import { traceQrCode } from '../../../platform/qr-code.ts'
import type { PackingSlip, SlipLine } from './papers.protocol.ts'
import { wrapLines } from './wrap-lines.ts'

// All lengths are in millimeters.
const PAPERS = { a4: [210, 297], letter: [215.9, 279.4] } as const
const MARGIN = 16
const TEXT = 3.6
const SMALL = 3
const NUMBER = 4.4
const LINE_HEIGHT = 5.4
const SMALL_LINE_HEIGHT = 4.2
const ROW_HEIGHT = 9
const CODE_SIDE = 24
const SKU_WIDTH = 38
const QUANTITY_WIDTH = 18
const TICK_WIDTH = 10
const GREY = '#5c6470'

/** Draws packing slips as one PDF. Each slip starts on a new page and can have several pages. */
export const drawPackingSlips = (slips: readonly PackingSlip[]): Promise<Buffer> =>
  makePdf(slips.length === 1 ? `Packing slip ${slips[0]?.orderNumber}` : 'Packing slips', (pdf) => {
    for (const slip of slips) drawPackingSlip(pdf, slip)
  })

function drawPackingSlip(pdf: PDFKit.PDFDocument, slip: PackingSlip): void {
  const [width, height] = PAPERS[slip.paper]
  const right = width - MARGIN
  const text = (content: string, x: number, baseline: number, sizeMm = TEXT, isBold = false) =>
    placeText(pdf, { text: content, x, baseline, sizeMm, isBold })
  const textRight = (content: string, x: number, baseline: number, sizeMm = TEXT, isBold = false) =>
    text(content, x - measureText(content, { sizeMm, isBold }), baseline, sizeMm, isBold)
  const rule = (y: number, color = '#d5d9de') =>
    pdf
      .lineWidth(0.4)
      .strokeColor(color)
      .moveTo(points(MARGIN), points(y))
      .lineTo(points(right), points(y))
      .stroke()

  const drawHead = (): number => {
    pdf.fillColor('black')
    text('Packing slip', MARGIN, MARGIN + 6, 7, true)
    const column = (right - MARGIN) / 2
    const numberWidth = slip.sender.length > 0 ? column - 6 : right - MARGIN - CODE_SIDE - 6
    const numberLines = wrapLines(slip.orderNumber, numberWidth, { sizeMm: NUMBER, isBold: false })
    numberLines.forEach((part, index) => text(part, MARGIN, MARGIN + 13 + index * LINE_HEIGHT, NUMBER))
    const sender = slip.sender.flatMap((line, index) => {
      const isBold = index === 0
      return wrapLines(line, column - CODE_SIDE - 6, { sizeMm: SMALL, isBold }).map((part) => ({
        part,
        isBold,
      }))
    })
    sender.forEach(({ part, isBold }, index) =>
      text(part, MARGIN + column, MARGIN + SMALL + index * SMALL_LINE_HEIGHT, SMALL, isBold),
    )
    const code = traceQrCode(slip.payload)
    placeCode(pdf, code.path, { x: right - CODE_SIDE, y: MARGIN, moduleMm: CODE_SIDE / code.modules })
    const top =
      MARGIN +
      24 +
      Math.max((numberLines.length - 1) * LINE_HEIGHT, (sender.length - 5) * SMALL_LINE_HEIGHT, 0)
    pdf.fillColor(GREY)
    text('Ship to', MARGIN, top, SMALL)
    const style = { sizeMm: TEXT, isBold: false }
    const address = slip.address.flatMap((line, index) => {
      const isBold = index === 0
      return wrapLines(line, column - 6, { ...style, isBold }).map((part) => ({ part, isBold }))
    })
    const facts = slip.facts.flatMap(([name, value]) =>
      wrapLines(value, column - 30, style).map((part, index) => ({ name: index === 0 ? name : '', part })),
    )
    facts.forEach(({ name }, index) => text(name, MARGIN + column, top + LINE_HEIGHT * (index + 1)))
    pdf.fillColor('black')
    address.forEach(({ part, isBold }, index) =>
      text(part, MARGIN, top + LINE_HEIGHT * (index + 1), TEXT, isBold),
    )
    facts.forEach(({ part }, index) => text(part, MARGIN + column + 30, top + LINE_HEIGHT * (index + 1)))
    return top + LINE_HEIGHT * (Math.max(address.length, facts.length) + 2)
  }

  const drawColumns = (y: number): number => {
    pdf.fillColor(GREY)
    text('SKU', MARGIN + TICK_WIDTH, y, SMALL)
    text('Item', MARGIN + TICK_WIDTH + SKU_WIDTH, y, SMALL)
    textRight('Pieces', right, y, SMALL)
    rule(y + 2, '#8a919b')
    return y + 2
  }

  /** Returns the lines of text for the SKU and the name of an order line, and the height of its row. */
  const layOut = ({ sku, name, isPart }: SlipLine) => {
    const indent = isPart ? 6 : 0
    const style = { sizeMm: isPart ? SMALL : TEXT, isBold: false }
    const nameWidth = right - MARGIN - TICK_WIDTH - SKU_WIDTH - QUANTITY_WIDTH - indent
    const skuLines = wrapLines(sku, SKU_WIDTH - 3 - indent, style)
    const nameLines = wrapLines(name, nameWidth, style)
    const rows = Math.max(skuLines.length, nameLines.length)
    return { indent, skuLines, nameLines, height: ROW_HEIGHT + (rows - 1) * LINE_HEIGHT }
  }

  const drawLine = ({ quantity, isPart }: SlipLine, laidOut: ReturnType<typeof layOut>, y: number) => {
    const baseline = y + 6
    const { indent, skuLines, nameLines } = laidOut
    const sizeMm = isPart ? SMALL : TEXT
    pdf.lineWidth(0.5).strokeColor('#8a919b')
    pdf.rect(points(MARGIN), points(y + 2.6), points(4), points(4)).stroke()
    pdf.fillColor('black')
    const x = MARGIN + TICK_WIDTH + indent
    skuLines.forEach((part, index) => text(part, x, baseline + index * LINE_HEIGHT, sizeMm))
    nameLines.forEach((part, index) => text(part, x + SKU_WIDTH, baseline + index * LINE_HEIGHT, sizeMm))
    textRight(String(quantity), right, baseline, sizeMm, !isPart)
    rule(y + laidOut.height)
  }

  pdf.addPage({ size: [points(width), points(height)], margin: 0 })
  let y = drawColumns(drawHead())
  let page = 1
  const drawFoot = () => {
    pdf.fillColor(GREY)
    text(slip.orderNumber, MARGIN, height - 9, SMALL)
    textRight(`Page ${page}`, right, height - 9, SMALL)
  }
  const makeRoom = (mm: number) => {
    if (y + mm <= height - MARGIN - 4) return
    drawFoot()
    pdf.addPage({ size: [points(width), points(height)], margin: 0 })
    page += 1
    y = drawColumns(MARGIN + 4)
  }
  for (const line of slip.lines) {
    const laidOut = layOut(line)
    makeRoom(laidOut.height)
    drawLine(line, laidOut, y)
    y += laidOut.height
  }
  const pieces = slip.lines.filter((line) => !line.isPart).reduce((sum, line) => sum + line.quantity, 0)
  makeRoom(ROW_HEIGHT * 2)
  pdf.fillColor('black')
  textRight(`${pieces} in all`, right, y + 7, TEXT, true)
  if (slip.note) text(slip.note, MARGIN, y + 7, SMALL)
  drawFoot()
}
