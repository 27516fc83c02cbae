import { setNonce } from 'get-nonce'
import { startTransition, StrictMode, useEffect, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { AppRouter } from './routes/router.tsx'
import { preloadSignedIn } from './routes/signed-in-routes.tsx'
import { loadConfig } from './lib/http/config.ts'
import { followFocus } from './lib/browser/last-focused.ts'
import { hasEntered, sessionKnown, startSession } from './lib/session/session.ts'
import { followTheme } from './lib/browser/theme.ts'
import { followLastView } from './lib/session/last-view.ts'

declare global {
  /** Whether `public/first-view.js` shows the view that this session left here. */
  var pegasusLastView: boolean | undefined
}

/** After this time without the page's parts the app says that it is loading. */
const LONGEST_WAIT_MS = 1500
/** The data usually comes with the account, and then needs no second rendering. */
const DATA_WAIT_MS = 100
/** The last view is worth a longer wait. */
const LONGEST_WAIT_WITH_VIEW_MS = 5000

/** Starts the app in `#root`. Call it once. */
export async function startApp(): Promise<void> {
  // The style tags that dialogs and menus add need the nonce of the page's content policy.
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
  if (nonce) setNonce(nonce)
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  followTheme()
  followFocus()
  void loadConfig()
  const started = startSession()
  if (hasEntered()) await untilReady()
  await started
  // In a transition, so that the browser can answer a person while it draws.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <AppRouter />
        <EndLastView root={root} />
      </StrictMode>,
    ),
  )
}

/** One rendering of the whole page, instead of a loading view, the frame, another loading view and the page. */
async function untilReady(): Promise<void> {
  const hasView = globalThis.pegasusLastView === true
  const { parts, data } = preloadSignedIn()
  const frame = Promise.all([parts, sessionKnown()])
  const page = frame.then(() => within(hasView ? LONGEST_WAIT_WITH_VIEW_MS : DATA_WAIT_MS, data))
  await within(hasView ? LONGEST_WAIT_WITH_VIEW_MS : LONGEST_WAIT_MS, page)
}

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])

/** The first rendering has replaced the last view, which nobody could use. */
function EndLastView({ root }: { root: HTMLElement }) {
  useLayoutEffect(() => {
    root.inert = false
    root.ariaBusy = null
    root.ariaDisabled = null
  }, [root])
  useEffect(() => followLastView(root), [root])
  return null
}
