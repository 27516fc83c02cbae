import type { Label, LabelField } from '@pegasus/contracts/labels/labels'
import type { LabelPaper } from '@pegasus/contracts/labels/label-papers'
import type { QuickStart } from './quick-start.ts'

/** The texts of a label without its QR code, and the number of copies. */
export interface LabelToDraw extends Omit<Label, 'qr'> {
  copies: number
}

/** Labels that are printed one after another. */
export interface LabelSheet {
  labels: readonly LabelToDraw[]
  paper: LabelPaper
  fields: readonly LabelField[]
  startCell: number
}

/** A request to the worker that draws sheets. The worker returns the bytes of a PDF. */
export type SheetRequest = { sheet: LabelSheet } | { quickStart: QuickStart }
