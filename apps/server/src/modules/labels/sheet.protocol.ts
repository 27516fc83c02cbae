import type { Label, LabelField } from '@pegasus/contracts/labels/labels'
import type { LabelPaper } from '@pegasus/contracts/labels/label-papers'

/** What stands on a label, its code not drawn yet, and how often it is wanted. */
export interface LabelToDraw extends Omit<Label, 'qr'> {
  copies: number
}

/** What a sheet worker is asked; it answers the bytes of a PDF. */
export interface SheetRequest {
  labels: readonly LabelToDraw[]
  paper: LabelPaper
  fields: readonly LabelField[]
  startCell: number
}
