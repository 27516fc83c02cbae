import type { SlipPaper } from '@pegasus/contracts/orders/papers'

/** A line of a packing slip. Parts of a set follow their set. */
export interface SlipLine {
  sku: string
  name: string
  quantity: number
  isPart: boolean
}

/** The content of a packing slip. */
export interface PackingSlip {
  paper: SlipPaper
  orderNumber: string
  /** The address in the QR code. */
  payload: string
  /** The name and the address of the shop. Empty if they are not configured. */
  sender: readonly string[]
  address: readonly string[]
  /** Pairs of a name and a value, such as `Placed` and `21 Nov 2026`. */
  facts: readonly (readonly [name: string, value: string])[]
  lines: readonly SlipLine[]
  /** A sentence below the lines, for example about pieces that follow in another parcel. */
  note: string | null
}

export interface AddressLabel {
  orderNumber: string
  /** The name and the address of the shop. Empty if they are not configured. */
  sender: readonly string[]
  address: readonly string[]
  widthMm: number
  heightMm: number
}

/**
 * The request to a worker that draws papers. The worker returns the bytes of a PDF, or no bytes if an address would be
 * too small to read on its label.
 */
export type PaperRequest = { slips: readonly PackingSlip[] } | { label: AddressLabel }
