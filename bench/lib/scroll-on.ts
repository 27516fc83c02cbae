/** How far a page has been scrolled. */
export interface Progress {
  /** Number of models whose card has been shown so far. */
  shown: number
  /** The position of the last of these models in the list, counted from 1. */
  furthest: number
  longestWaitMs: number
  /** How often the models of a window did not appear within the time limit. */
  gaveUp: number
  isOver: boolean
}

interface Stretch {
  /** Stop scrolling at this position in the list. */
  goal: number
  /**
   * How far each step scrolls: by one window (`window`), so that each model is shown, or to the end of the part that is
   * loaded (`page`).
   */
  by: 'window' | 'page'
  /** The maximum time of one call, in milliseconds. */
  sliceMs: number
}

/**
 * Scrolls for some time. Before each step, waits until the models of the previous step are shown. This function runs in
 * the page, so it cannot use anything outside its own body.
 */
export async function scrollOn({ goal, by, sliceMs }: Stretch): Promise<Progress> {
  const PATIENCE_MS = 15_000
  const kept = globalThis as { benchScroll?: Omit<Progress, 'isOver' | 'shown'> & { seen: Set<number> } }
  const state = (kept.benchScroll ??= { seen: new Set(), furthest: 0, longestWaitMs: 0, gaveUp: 0 })
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const isFilled = () =>
    [...document.querySelectorAll('[data-index]')].every((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return bottom < 0 || top > innerHeight || row.querySelector('[role=listitem]') !== null
    })
  const noteShown = () => {
    for (const card of document.querySelectorAll('[role=listitem][aria-posinset]')) {
      const place = Number(card.getAttribute('aria-posinset'))
      state.seen.add(place)
      state.furthest = Math.max(state.furthest, place)
    }
  }
  const progress = (isOver: boolean): Progress => {
    const { seen, ...rest } = state
    return { ...rest, shown: seen.size, isOver }
  }
  const endsAt = performance.now() + sliceMs
  while (performance.now() < endsAt) {
    const before = scrollY
    scrollBy(0, by === 'window' ? innerHeight : document.documentElement.scrollHeight)
    await nextFrame()
    const askedAt = performance.now()
    while (!isFilled() && performance.now() - askedAt < PATIENCE_MS) await nextFrame()
    state.longestWaitMs = Math.max(state.longestWaitMs, performance.now() - askedAt)
    if (!isFilled()) state.gaveUp += 1
    noteShown()
    // The end is reached if the page cannot scroll further and nothing is loading.
    const isEnd = scrollY === before && isFilled()
    if (isEnd || state.furthest >= goal) return progress(true)
  }
  return progress(false)
}
