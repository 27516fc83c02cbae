let last: Element | null = null
/** The focusable elements around it, from the inside out. */
let around: HTMLElement[] = []
let isCatching = false

/** Tracks the focus from now on, and moves it when its element disappears. */
export function followFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (isCatching || !(target instanceof Element) || isStandIn(target)) return
    last = target
    around = findAround(target)
  })
  new MutationObserver(catchFocus).observe(document.body, { childList: true, subtree: true })
}

/** A button that is disabled while it works loses the focus, which the surrounding dialog then takes. */
const isStandIn = (target: Element): boolean => last?.matches(':disabled') === true && target.contains(last)

function findAround(target: Element): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let each = target.parentElement; each; each = each.parentElement)
    if (each.tabIndex === -1 && each.hasAttribute('tabindex')) found.push(each)
  // Dialogs and menus return the focus by themselves.
  if (target.closest('[role=dialog], [role=menu]')) return found
  const main = document.querySelector('main')
  return main && !found.includes(main) ? [...found, main] : found
}

/**
 * A button often removes itself: Restore removes its row, View its list. A keyboard user then continues near it, and
 * not at the beginning of the page.
 */
function catchFocus(): void {
  if (!last || last.isConnected || document.activeElement !== document.body) return
  const successor = around.find((each) => each.isConnected)
  if (!successor) return
  // A temporary element must not become the place that the focus returns to.
  isCatching = true
  successor.focus({ preventScroll: true })
  isCatching = false
}

/** The focused element, or the one before the focus fell back to the page or the surrounding dialog. */
export function findLastFocused(): Element | null {
  const active = document.activeElement
  return last && active?.contains(last) ? last : active
}
