import { createContext, useContext } from 'react'

/** Properties that a Field passes to its control: ids of label and description, and whether there is an error. */
export interface FieldControl {
  id: string
  required: boolean
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export const FieldContext = createContext<FieldControl | null>(null)

/** The attributes for a control; none outside a Field, where the control needs an accessible name of its own. */
export const useFieldControl = (): Partial<FieldControl> => useContext(FieldContext) ?? {}
