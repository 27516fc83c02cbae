/** Fields outside a form are saved at once, so that a key would change something before the person has looked at it. */
const FIELDS = 'form :is(input:not([type=hidden]), select, textarea)'

/** Marks buttons that lose something for good. They get the focus only from the person. */
export const DANGER_MARK = 'data-danger'

const MAIN_BUTTON = `button[type=submit]:not([${DANGER_MARK}])`

const isUsable = (element: HTMLElement): boolean => !element.matches(':disabled') && element.checkVisibility()

const findUsable = (dialog: HTMLElement, selector: string): HTMLElement | undefined =>
  [...dialog.querySelectorAll<HTMLElement>(selector)].find(isUsable)

/** Returns the first field. In a group of radio buttons, returns the checked one, where Tab also arrives. */
function findField(dialog: HTMLElement): HTMLElement | undefined {
  const field = findUsable(dialog, FIELDS)
  if (!(field instanceof HTMLInputElement) || field.type !== 'radio' || field.name === '') return field
  const group = `input[type=radio][name="${CSS.escape(field.name)}"]:checked`
  return findUsable(dialog, group) ?? field
}

const NUMERIC: ReadonlySet<string> = new Set(['numeric', 'decimal'])

function focusInput(target: HTMLElement): void {
  target.focus({ preventScroll: true })
  // A number is usually replaced. A text is not selected, because a handheld scanner would replace it.
  if (target instanceof HTMLInputElement && NUMERIC.has(target.inputMode)) target.select()
}

/**
 * Gives the focus of a dialog that opens to its first field. Without a field, its submit button gets it, so that Enter
 * does what the dialog is for, unless that loses something. If the content arrives later, the field gets the focus
 * then, but only if the person has not moved it in the meantime. Touch screens are left alone, because the keyboard
 * would cover the dialog.
 *
 * Returns whether an element got the focus. Otherwise the caller decides where it goes for now.
 */
export function focusFirstField(dialog: HTMLElement): boolean {
  if (matchMedia('(pointer: coarse)').matches) return false
  const place = (): boolean => {
    const target = findField(dialog) ?? findUsable(dialog, MAIN_BUTTON)
    if (target) focusInput(target)
    return target !== undefined
  }
  if (place()) return true
  let initial: Element | null = null
  // The caller chooses the element right after this call.
  queueMicrotask(() => (initial = document.activeElement))
  const observer = new MutationObserver(() => {
    const isMoved = document.activeElement !== initial
    if (isMoved || !dialog.isConnected || place()) observer.disconnect()
  })
  observer.observe(dialog, { childList: true, subtree: true })
  return false
}
