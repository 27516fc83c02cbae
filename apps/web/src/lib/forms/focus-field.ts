import type { BaseSyntheticEvent } from 'react'

/**
 * Gives the focus to a field of the submitted form, and selects its text. This happens at once. `setFocus` of
 * react-hook-form waits, and the person may already type in another field by then.
 */
export function focusField(submit: BaseSyntheticEvent | undefined, name: string): void {
  const form: unknown = submit?.target
  const field = form instanceof HTMLFormElement ? form.elements.namedItem(name) : null
  if (!(field instanceof HTMLInputElement)) return
  field.focus()
  field.select()
}
