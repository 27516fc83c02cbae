import { move } from 'piscina'
import { drawAddressLabel } from './draw-address-label.ts'
import { drawPackingSlips } from './draw-packing-slip.ts'
import type { PaperRequest } from './papers.protocol.ts'

/** Draws the papers of an order. Runs in a worker thread, because an order can have a thousand lines. */
export default async function draw(request: PaperRequest) {
  const pdf = await ('slips' in request ? drawPackingSlips(request.slips) : drawAddressLabel(request.label))
  // Only a copy with memory of its own can be transferred to another thread.
  return move(new Uint8Array(pdf))
}
