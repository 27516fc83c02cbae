let last: Element | null = null
/** What around it can take the focus, from the inside out. */
let around: HTMLElement[] = []
let isCatching = false

/** Follows the focus from here on, and catches it when what has it goes away. */
export function followFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (isCatching || !(target instanceof Element) || isStandIn(target)) return
    last = target
    around = findAround(target)
  })
  new MutationObserver(catchFocus).observe(document.body, { childList: true, subtree: true })
}

/** A button that is disabled while it works loses the focus, which the dialog around it then takes. */
const isStandIn = (target: Element): boolean => last?.matches(':disabled') === true && target.contains(last)

function findAround(target: Element): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let each = target.parentElement; each; each = each.parentElement)
    if (each.tabIndex === -1 && each.hasAttribute('tabindex')) found.push(each)
  // What opens over the page gives the focus back by itself.
  if (target.closest('[role=dialog], [role=menu]')) return found
  const room = document.querySelector('main')
  return room && !found.includes(room) ? [...found, room] : found
}

/**
 * A button often takes itself away: Restore its row, View its list. Whoever uses the keyboard then goes on from what was
 * around it, and not from the beginning of the page.
 */
function catchFocus(): void {
  if (!last || last.isConnected || document.activeElement !== document.body) return
  const heir = around.find((each) => each.isConnected)
  if (!heir) return
  // It stands in for what is gone, and is no place that anything would return the focus to.
  isCatching = true
  heir.focus({ preventScroll: true })
  isCatching = false
}

/** What has the focus, or had it before it fell back to the page or to the dialog around. */
export function findLastFocused(): Element | null {
  const active = document.activeElement
  return last && active?.contains(last) ? last : active
}
