import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { Way, Ways } from '../src/features/auth/auth-footer-links.tsx'
import { EmailForm } from '../src/features/auth/email-form.tsx'
import { SignInFrame } from '../src/features/auth/sign-in-frame.tsx'
import { t } from '../src/lib/i18n/messages.ts'
import { LegacyLoginRoute } from '../src/routes/legacy-login.tsx'

// The build runs this file (vite/early-views-plugin.ts). It renders the sign-in screens as they look before anything is
// known about the server: a part that depends on its configuration is left out, or keeps its space without being shown.

const nothing = () => undefined

/** The email screen without its other ways to sign in, and with the space of its links. */
const EmailSignIn = () => (
  <SignInFrame>
    <EmailForm
      email=""
      onEmailChange={nothing}
      isFocused={false}
      notice={null}
      onTry={nothing}
      ways={
        <Ways>
          {[t('Need an account? Sign up'), t('Forgot password?'), t('Email me a code')].map((text) => (
            <Way key={text} isHidden onSelect={nothing}>
              {text}
            </Way>
          ))}
        </Ways>
      }
    />
  </SignInFrame>
)

/** Returns the markup of the sign-in screens by their path, for a wide window. It has no style attributes. */
export const renderEarlyViews = (): Record<string, string> => ({
  '/login': render('/login', <EmailSignIn />),
  '/legacy-login': render('/legacy-login', <LegacyLoginRoute />),
})

function render(path: string, screen: ReactNode): string {
  const markup = renderToStaticMarkup(<MemoryRouter initialEntries={[path]}>{screen}</MemoryRouter>)
  return (
    markup
      // A narrow window must not load the picture. React asks for it here, because it is important.
      .replaceAll(/<link rel="preload"[^>]*>/g, '')
      // The content security policy forbids style attributes in markup. `public/first-view.js` sets these styles.
      .replaceAll(' style="', ' data-style="')
  )
}
