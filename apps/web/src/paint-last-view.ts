declare global {
  /** Whether `public/first-view.js` shows the view that this session left here. */
  var pegasusLastView: boolean | undefined
}

/** Resolves when what is on the page has been painted. The browser paints nothing while it is hidden. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) return resolve()
    requestAnimationFrame(() => setTimeout(resolve))
  })

// The scripts of the app run for a while, and the last view should be seen before that.
if (globalThis.pegasusLastView) await painted()

export {}
