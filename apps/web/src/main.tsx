import { setNonce } from 'get-nonce'
import { Direction } from 'radix-ui'
import { startTransition, StrictMode, useEffect, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { AppRouter, preloadSignIn } from './routes/router.tsx'
import { preloadSignedIn } from './routes/signed-in-routes.tsx'
import { direction } from './lib/i18n/languages.ts'
import { loadConfig } from './lib/http/config.ts'
import { followInstallation } from './lib/browser/install-app.ts'
import { followFocus } from './lib/browser/last-focused.ts'
import { hasEntered, sessionKnown, startSession } from './lib/session/session.ts'
import { followTheme } from './lib/browser/theme.ts'
import { followLastView } from './lib/session/last-view.ts'

declare global {
  /** True if `public/first-view.js` shows the view that this session has stored at its last visit. */
  var pegasusLastView: boolean | undefined
  /** True if `public/first-view.js` shows the sign-in screen that the build has rendered. */
  var pegasusEarlySignIn: boolean | undefined
}

/** Time in ms to wait for the parts of the page before the app shows that it is loading. */
const LONGEST_WAIT_MS = 1500
/**
 * The time to wait for the data, in ms. The data usually arrives together with the account, and then no
 * second rendering is needed.
 */
const DATA_WAIT_MS = 100
/** The time to wait, in ms, while the last view or the early sign-in screen is shown. */
const LONGEST_WAIT_WITH_VIEW_MS = 5000

/** Renders the app into `#root`. Call it once. */
export async function startApp(): Promise<void> {
  // Dialogs and menus add style tags, which need the nonce of the content security policy.
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
  if (nonce) setNonce(nonce)
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  followTheme()
  followFocus()
  followInstallation()
  void loadConfig()
  const started = startSession()
  if (hasEntered()) await untilReady()
  else if (globalThis.pegasusEarlySignIn)
    await within(LONGEST_WAIT_WITH_VIEW_MS, Promise.all([preloadSignIn(), sessionKnown()]))
  await started
  // Render in a transition, so that the browser can react to input in between.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Direction.Provider dir={direction}>
          <AppRouter />
        </Direction.Provider>
        <EndLastView root={root} />
      </StrictMode>,
    ),
  )
}

/**
 * Waits for the page's parts and data, within limits. The whole page is then rendered once, instead of a loading view,
 * the frame, another loading view and the page.
 */
async function untilReady(): Promise<void> {
  const hasView = globalThis.pegasusLastView === true
  const { parts, data } = preloadSignedIn()
  const frame = Promise.all([parts, sessionKnown()])
  const page = frame.then(() => within(hasView ? LONGEST_WAIT_WITH_VIEW_MS : DATA_WAIT_MS, data))
  await within(hasView ? LONGEST_WAIT_WITH_VIEW_MS : LONGEST_WAIT_MS, page)
}

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])

/** Makes the root usable after the first rendering, which replaces the last view. Before that, the root is inert. */
function EndLastView({ root }: { root: HTMLElement }) {
  useLayoutEffect(() => {
    root.inert = false
    root.ariaBusy = null
    root.ariaDisabled = null
  }, [root])
  useEffect(() => followLastView(root), [root])
  return null
}
