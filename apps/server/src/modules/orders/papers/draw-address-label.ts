import { measureText } from '../../../platform/pdf/fonts.ts'
import { makePdf, placeText, points } from '../../../platform/pdf/pdf-document.ts'
import type { AddressLabel } from './papers.protocol.ts'
import { wrapLines } from './wrap-lines.ts'

// All lengths are in millimeters.
const MARGIN = 4
const LARGEST = 7
/** Lines are wrapped before the text becomes smaller than this. */
const WRAPPED_BELOW = 2.6
const STEP = 0.1
/** Below this size, nobody can read the text anyway. */
const SMALLEST = 0.5
const LINE_SPACING = 1.35
const NUMBER_SIZE = 2.6

/** Draws an address as large as the label allows. On a portrait label, the text runs along the long side. */
export function drawAddressLabel({ orderNumber, address, widthMm, heightMm }: AddressLabel): Promise<Buffer> {
  const isTurned = heightMm > widthMm
  const [width, height] = isTurned ? [heightMm, widthMm] : [widthMm, heightMm]
  const room = { width: width - 2 * MARGIN, height: height - 2 * MARGIN - NUMBER_SIZE * 2 }
  const widest = Math.max(...address.map((line) => measureText(line, { sizeMm: 1, isBold: true })))
  const fitting = Math.min(LARGEST, room.width / widest, room.height / (address.length * LINE_SPACING))
  const wrapAt = (size: number) =>
    address.flatMap((line, index) => {
      const isBold = index === 0
      return wrapLines(line, room.width, { sizeMm: size, isBold }).map((text) => ({ text, isBold }))
    })
  let sizeMm = Math.max(WRAPPED_BELOW, fitting)
  let lines = wrapAt(sizeMm)
  while (sizeMm > SMALLEST && lines.length * sizeMm * LINE_SPACING > room.height + STEP) {
    sizeMm -= STEP
    lines = wrapAt(sizeMm)
  }
  return makePdf(`Address label ${orderNumber}`, (pdf) => {
    pdf.addPage({ size: [points(widthMm), points(heightMm)], margin: 0 })
    if (isTurned) pdf.rotate(90).translate(0, -points(widthMm))
    lines.forEach(({ text, isBold }, index) => {
      const baseline = MARGIN + sizeMm + index * sizeMm * LINE_SPACING
      placeText(pdf, { text, x: MARGIN, baseline, sizeMm, isBold })
    })
    placeText(pdf, { text: orderNumber, x: MARGIN, baseline: height - MARGIN, sizeMm: NUMBER_SIZE })
  })
}
