/**
 * Selector for the fields that may get the focus. Fields outside a form are left out: they are saved at once, so a key
 * could change something before the person has looked at it.
 */
const FIELDS = 'form :is(input:not([type=hidden]), select, textarea)'

/** Marks buttons whose action cannot be undone. The code never gives them the focus, only the person does. */
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
 * Gives the focus to the first field of a dialog that opens. In a dialog without a field, the submit button gets the
 * focus, so that Enter confirms, unless the button's action cannot be undone. If the content arrives later, its first
 * field gets the focus then, but only if the person has not moved the focus in the meantime. On touch screens, no field
 * gets the focus, because the keyboard would cover the dialog.
 *
 * Returns whether an element got the focus. If not, the caller chooses one for now.
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
  // The caller chooses an element for now, right after this call returns.
  queueMicrotask(() => (initial = document.activeElement))
  const observer = new MutationObserver(() => {
    const isMoved = document.activeElement !== initial
    if (isMoved || !dialog.isConnected || place()) observer.disconnect()
  })
  observer.observe(dialog, { childList: true, subtree: true })
  return false
}
