let last: Element | null = null
/** The focusable elements around the last focused one, innermost first. */
let around: HTMLElement[] = []
let isCatching = false

/** Tracks the focus from now on. If the focused element disappears, the focus moves to an element around it. */
export function followFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (isCatching || !(target instanceof Element) || isStandIn(target)) return
    last = target
    around = findAround(target)
  })
  new MutationObserver(catchFocus).observe(document.body, { childList: true, subtree: true })
}

/**
 * Returns whether `target` is a dialog that has the focus only because the focused button in it was disabled while its
 * action runs.
 */
const isStandIn = (target: Element): boolean => last?.matches(':disabled') === true && target.contains(last)

function findAround(target: Element): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let each = target.parentElement; each; each = each.parentElement)
    if (each.tabIndex === -1 && each.hasAttribute('tabindex')) found.push(each)
  // Dialogs and menus return the focus on their own.
  if (target.closest('[role=dialog], [role=menu]')) return found
  const main = document.querySelector('main')
  return main && !found.includes(main) ? [...found, main] : found
}

/**
 * Moves the focus if the focused button has disappeared, such as Restore together with its row. Keyboard users then
 * continue nearby instead of at the beginning of the page.
 */
function catchFocus(): void {
  if (!last || last.isConnected || document.activeElement !== document.body) return
  // A page that was opened in the meantime has a main element of its own.
  const page = around.some((each) => each.tagName === 'MAIN') ? document.querySelector('main') : null
  const successor = around.find((each) => each.isConnected) ?? page
  if (!successor) return
  // This element gets the focus only as a substitute, so a dialog must not return the focus to it.
  isCatching = true
  successor.focus({ preventScroll: true })
  isCatching = false
}

/**
 * Returns the focused element. If the focus fell back to the page or the dialog, returns the element that had it
 * before.
 */
export function findLastFocused(): Element | null {
  const active = document.activeElement
  return last && active?.contains(last) ? last : active
}
