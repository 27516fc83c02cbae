import { measureText } from '../../../platform/pdf/fonts.ts'
import { wrapLines } from './wrap-lines.ts'

// All lengths are in millimeters.
export const LABEL_MARGIN = 4
export const LINE_SPACING = 1.35
export const NUMBER_SIZE = 2.6
export const SENDER_SIZE = 2.2
const LARGEST = 7
/** Below this text size, long lines are wrapped instead of reducing the size further to keep them whole. */
const WRAPPED_BELOW = 2.6
const STEP = 0.1
/** The smallest text size that people and sorting machines can read: 5 pt. */
const SMALLEST = 1.76
/** The sender is left out if it needs more lines than this. */
const MAX_SENDER_LINES = 3

/** The lines of an address, the size of their text, and the lines of the sender above them. */
interface AddressLayout {
  sizeMm: number
  lines: readonly { text: string; isBold: boolean }[]
  sender: readonly string[]
}

interface Address {
  address: readonly string[]
  sender: readonly string[]
  widthMm: number
  heightMm: number
}

/**
 * Lays out an address as large as the label allows, below the sender. If the address would then be too small to read,
 * leaves the sender out. Returns null if the address is too small even so.
 */
export const layOutAddress = (given: Address): AddressLayout | null =>
  (given.sender.length > 0 ? fitAddress(given) : null) ?? fitAddress({ ...given, sender: [] })

function fitAddress({ address, sender: from, widthMm, heightMm }: Address): AddressLayout | null {
  const [width, height] = heightMm > widthMm ? [heightMm, widthMm] : [widthMm, heightMm]
  const roomWidth = width - 2 * LABEL_MARGIN
  const sender =
    from.length === 0 ? [] : wrapLines(from.join(' · '), roomWidth, { sizeMm: SENDER_SIZE, isBold: false })
  if (sender.length > MAX_SENDER_LINES) return null
  const senderHeight = sender.length === 0 ? 0 : (sender.length + 1) * SENDER_SIZE * LINE_SPACING
  const roomHeight = height - 2 * LABEL_MARGIN - NUMBER_SIZE * 2 - senderHeight
  const widths = address.map((line, index) => measureText(line, { sizeMm: 1, isBold: index === 0 }))
  const widest = Math.max(...widths)
  const fitting = Math.min(LARGEST, roomWidth / widest, roomHeight / (address.length * LINE_SPACING))
  const wrapAt = (sizeMm: number) =>
    address.flatMap((line, index) => {
      const isBold = index === 0
      return wrapLines(line, roomWidth, { sizeMm, isBold }).map((text) => ({ text, isBold }))
    })
  const fits = (count: number, sizeMm: number) => count * sizeMm * LINE_SPACING <= roomHeight + STEP
  /** Returns a number of lines that is certainly needed. It is much faster to compute than the lines themselves. */
  const leastLines = (sizeMm: number) =>
    widths.reduce(
      (sum, lineWidth) => sum + Math.max(1, Math.ceil((lineWidth * sizeMm) / roomWidth - 0.001)),
      0,
    )
  for (let sizeMm = Math.max(WRAPPED_BELOW, fitting); ; sizeMm = Math.max(SMALLEST, sizeMm - STEP)) {
    const lines = fits(leastLines(sizeMm), sizeMm) ? wrapAt(sizeMm) : null
    if (lines && fits(lines.length, sizeMm)) return { sizeMm, lines, sender }
    if (sizeMm <= SMALLEST) return null
  }
}
