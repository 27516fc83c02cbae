/** How far a page has been scrolled. */
export interface Progress {
  /** Models that had a card at some time. */
  shown: number
  /** Place in the list of the last of them, from 1. */
  furthest: number
  longestWaitMs: number
  /** Windows whose models did not come. */
  gaveUp: number
  isOver: boolean
}

interface Stretch {
  /** Where to stop: a place in the list. */
  goal: number
  /** Window by window, so that each model is shown; or with each step to the end of what is known of the list. */
  by: 'window' | 'page'
  /** How long this goes on at a time. */
  sliceMs: number
}

/** Runs in the page, so it uses nothing from outside: scrolls on for a while, each step when the last has its models. */
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
    // The end: there is nowhere to go, and nothing is on its way.
    const isEnd = scrollY === before && isFilled()
    if (isEnd || state.furthest >= goal) return progress(true)
  }
  return progress(false)
}
