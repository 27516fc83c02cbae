import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { createAppRouter } from './routes/router.tsx'
import { preloadSignedIn } from './routes/signed-in-routes.tsx'
import { loadConfig } from './lib/http/config.ts'
import { followFocus } from './lib/browser/last-focused.ts'
import { hasEntered, startSession } from './lib/session/session.ts'
import { followTheme } from './lib/browser/theme.ts'
import './styles/index.css'

// The style tags that dialogs and menus add need the nonce of the page's content policy.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
if (nonce) setNonce(nonce)

followTheme()
followFocus()
startSession()
if (hasEntered()) preloadSignedIn()
void loadConfig()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={createAppRouter()} />
  </StrictMode>,
)
