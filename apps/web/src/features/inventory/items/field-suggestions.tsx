import { type ReactNode, useId } from 'react'

interface OfferedProps {
  options: readonly string[]
  /** Of the field, which names the list. */
  children: (listId: string) => ReactNode
}

/** A field that takes any words and offers some. */
export function Offered({ options, children }: OfferedProps) {
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
