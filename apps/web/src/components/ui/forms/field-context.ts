import { createContext, useContext } from 'react'

/** Properties that a Field passes to its control: the ids of label and description, and whether there is an error. */
export interface FieldControl {
  id: string
  required: boolean
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export const FieldContext = createContext<FieldControl | null>(null)

/**
 * Returns the attributes for a control. Outside a Field there are none, so the control needs an accessible name of its
 * own.
 */
export const useFieldControl = (): Partial<FieldControl> => useContext(FieldContext) ?? {}
