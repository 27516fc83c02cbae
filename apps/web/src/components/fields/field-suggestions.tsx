import { type ReactNode, useId } from 'react'

interface FieldSuggestionsProps {
  options: readonly string[]
  /** Renders the field, which must have `listId` as its `list` attribute. */
  children: (listId: string) => ReactNode
}

/** Adds suggestions to a text field. People can still type other values. */
export function FieldSuggestions({ options, children }: FieldSuggestionsProps) {
  const listId = useId()
  return (
    <>
      {children(listId)}
      <datalist id={listId}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  )
}
