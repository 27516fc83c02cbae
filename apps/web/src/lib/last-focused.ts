let last: Element | null = null

/** Follows the focus from here on. */
export function followFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && !isStandIn(target)) last = target
  })
}

/** A button that is disabled while it works loses the focus, which the dialog around it then takes. */
const isStandIn = (target: Element): boolean => last?.matches(':disabled') === true && target.contains(last)

/** What has the focus, or had it before it fell back to the page or to the dialog around. */
export function findLastFocused(): Element | null {
  const active = document.activeElement
  return last && active?.contains(last) ? last : active
}
