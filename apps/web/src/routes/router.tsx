import { lazy, Suspense } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import { AppBoundary } from '../app/error-page.tsx'
import { LoadingScreen } from '../app/loading-screen.tsx'
import { DemoBanner } from '../components/demo/demo-banner.tsx'
import { loadable } from '../lib/browser/loadable.tsx'
import { isDemo } from '../lib/session/demo-visit.ts'
import { CHOOSE_PASSWORD_PATH, CONFIRM_EMAIL_PATH } from '../lib/session/mail/mail-link.ts'
import { RequireSession, SignedOutOnly } from './guards.tsx'
import {
  DashboardRoute,
  LabelCodeRoute,
  MediaRoute,
  SignedInLayout,
  WizardRoute,
} from './signed-in-routes.tsx'

const login = loadable(async () => (await import('./login.tsx')).LoginRoute)
const legacyLogin = loadable(async () => (await import('./legacy-login.tsx')).LegacyLoginRoute)
const LoginRoute = login.Component
const LegacyLoginRoute = legacyLogin.Component
const ResetPasswordRoute = lazy(async () => ({
  default: (await import('./reset-password.tsx')).ResetPasswordRoute,
}))
const VerifyEmailRoute = lazy(async () => ({
  default: (await import('./verify-email.tsx')).VerifyEmailRoute,
}))

/** Loads the sign-in screen of the address in advance, so that it replaces its early view without a loading screen. */
export const preloadSignIn = (): Promise<void> =>
  (location.pathname === '/legacy-login' ? legacyLogin : login).preload()

export const AppRouter = () => (
  <BrowserRouter>
    <AppBoundary>
      {isDemo ? <DemoBanner /> : null}
      <Suspense fallback={<LoadingScreen />}>
        <Routes>
          <Route element={<SignedOutOnly />}>
            <Route path="/login" element={<LoginRoute />} />
            <Route path="/legacy-login" element={<LegacyLoginRoute />} />
          </Route>
          {/* Email links lead to these pages, whether or not somebody is signed in. */}
          <Route path={CHOOSE_PASSWORD_PATH} element={<ResetPasswordRoute />} />
          <Route path={CONFIRM_EMAIL_PATH} element={<VerifyEmailRoute />} />
          <Route element={<RequireSession />}>
            <Route element={<SignedInLayout />}>
              <Route path="/admin/media" element={<MediaRoute />} />
              <Route path="/admin/products/new" element={<WizardRoute />} />
              <Route path="/admin/products/new/wizard" element={<WizardRoute />} />
              <Route path="/wizard" element={<WizardRoute />} />
              <Route path="/s/:code" element={<LabelCodeRoute />} />
              <Route path="*" element={<DashboardRoute />} />
            </Route>
          </Route>
        </Routes>
      </Suspense>
    </AppBoundary>
  </BrowserRouter>
)
