import { move } from 'piscina'
import { traceQrCode } from '../../platform/qr-code.ts'
import { drawSheet } from './label-sheet.ts'
import type { LabelToDraw, SheetRequest } from './sheet.protocol.ts'

/** All copies are the same object, which is then set once. */
const copiesOf = ({ copies, ...words }: LabelToDraw) => {
  const label = { ...words, qr: traceQrCode(words.payload) }
  return Array.from({ length: copies }, () => label)
}

/** Renders labels as a PDF. Runs in a worker thread. */
export default async function draw({ labels, ...sheet }: SheetRequest) {
  const pdf = await drawSheet({ ...sheet, labels: labels.flatMap(copiesOf) })
  // A copy with memory of its own, which can be transferred to another thread.
  return move(new Uint8Array(pdf))
}
