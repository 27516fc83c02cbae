import { createContext, useContext } from 'react'

/** What a Field tells the control inside it: which label names it, which text describes it, whether it is in error. */
export interface FieldControl {
  id: string
  required: boolean
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export const FieldContext = createContext<FieldControl | null>(null)

/** The attributes for a control; outside a Field there are none, and the control needs a name of its own. */
export const useFieldControl = (): Partial<FieldControl> => useContext(FieldContext) ?? {}
