import { measureText } from '../../../platform/pdf/fonts.ts'
import { makePdf, placeText, points } from '../../../platform/pdf/pdf-document.ts'
import { fitText } from './draw-packing-slip.ts'
import type { AddressLabel } from './papers.protocol.ts'

// All lengths are in millimeters.
const MARGIN = 4
const LARGEST = 7
const SMALLEST = 2.6
const LINE_SPACING = 1.35
const NUMBER_SIZE = 2.6

/** Draws an address as large as the label allows. On a portrait label, the text runs along the long side. */
export function drawAddressLabel({ orderNumber, address, widthMm, heightMm }: AddressLabel): Promise<Buffer> {
  const isTurned = heightMm > widthMm
  const [width, height] = isTurned ? [heightMm, widthMm] : [widthMm, heightMm]
  const room = { width: width - 2 * MARGIN, height: height - 2 * MARGIN - NUMBER_SIZE * 2 }
  const widest = Math.max(...address.map((line) => measureText(line, { sizeMm: 1, isBold: true })))
  const fitting = Math.min(LARGEST, room.width / widest, room.height / (address.length * LINE_SPACING))
  const sizeMm = Math.max(SMALLEST, fitting)
  return makePdf(`Address label ${orderNumber}`, (pdf) => {
    pdf.addPage({ size: [points(widthMm), points(heightMm)], margin: 0 })
    if (isTurned) pdf.rotate(90).translate(0, -points(widthMm))
    address.forEach((line, index) => {
      const style = { sizeMm, isBold: index === 0 }
      placeText(pdf, {
        text: fitText(line, room.width, style),
        x: MARGIN,
        baseline: MARGIN + sizeMm + index * sizeMm * LINE_SPACING,
        ...style,
      })
    })
    placeText(pdf, { text: orderNumber, x: MARGIN, baseline: height - MARGIN, sizeMm: NUMBER_SIZE })
  })
}
