import { makePdf, placeText, points } from '../../../platform/pdf/pdf-document.ts'
import { LABEL_MARGIN, LINE_SPACING, NUMBER_SIZE, SENDER_SIZE, layOutAddress } from './lay-out-address.ts'
import type { AddressLabel } from './papers.protocol.ts'

/**
 * Draws an address label as PDF. On a portrait label, the text runs along the long side. Returns no bytes if the
 * address would be too small to read.
 */
export async function drawAddressLabel(label: AddressLabel): Promise<Uint8Array> {
  const layout = layOutAddress(label)
  if (!layout) return new Uint8Array()
  const { orderNumber, widthMm, heightMm } = label
  const { sizeMm, lines, sender } = layout
  const isTurned = heightMm > widthMm
  const height = Math.min(widthMm, heightMm)
  return makePdf(`Address label ${orderNumber}`, (pdf) => {
    pdf.addPage({ size: [points(widthMm), points(heightMm)], margin: 0 })
    if (isTurned) pdf.rotate(90).translate(0, -points(widthMm))
    sender.forEach((text, index) => {
      const baseline = LABEL_MARGIN + SENDER_SIZE + index * SENDER_SIZE * LINE_SPACING
      placeText(pdf, { text, x: LABEL_MARGIN, baseline, sizeMm: SENDER_SIZE })
    })
    const top = LABEL_MARGIN + (sender.length === 0 ? 0 : (sender.length + 1) * SENDER_SIZE * LINE_SPACING)
    lines.forEach(({ text, isBold }, index) => {
      const baseline = top + sizeMm + index * sizeMm * LINE_SPACING
      placeText(pdf, { text, x: LABEL_MARGIN, baseline, sizeMm, isBold })
    })
    placeText(pdf, {
      text: orderNumber,
      x: LABEL_MARGIN,
      baseline: height - LABEL_MARGIN,
      sizeMm: NUMBER_SIZE,
    })
  })
}
