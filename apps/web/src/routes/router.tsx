import { createBrowserRouter } from 'react-router'
import { CHOOSE_PASSWORD_PATH, CONFIRM_EMAIL_PATH } from '../lib/session/mail-link.ts'
import { ErrorPage } from '../app/error-page.tsx'
import { RequireSession, SignedOutOnly } from './guards.tsx'
import { LoadingScreen } from '../app/loading-screen.tsx'
import {
  DashboardRoute,
  LabelCodeRoute,
  MediaRoute,
  SignedInLayout,
  WizardRoute,
} from './signed-in-routes.tsx'

export const createAppRouter = () =>
  createBrowserRouter([
    {
      HydrateFallback: LoadingScreen,
      ErrorBoundary: ErrorPage,
      children: [
        {
          Component: SignedOutOnly,
          children: [
            {
              path: '/login',
              lazy: { Component: async () => (await import('./login.tsx')).LoginRoute },
            },
            {
              path: '/legacy-login',
              lazy: { Component: async () => (await import('./legacy-login.tsx')).LegacyLoginRoute },
            },
          ],
        },
        // The pages that mail links lead to, whether or not somebody is signed in.
        {
          path: CHOOSE_PASSWORD_PATH,
          lazy: { Component: async () => (await import('./reset-password.tsx')).ResetPasswordRoute },
        },
        {
          path: CONFIRM_EMAIL_PATH,
          lazy: { Component: async () => (await import('./verify-email.tsx')).VerifyEmailRoute },
        },
        {
          Component: RequireSession,
          children: [
            {
              Component: SignedInLayout,
              children: [
                { path: '/admin/media', Component: MediaRoute },
                { path: '/admin/products/new', Component: WizardRoute },
                { path: '/admin/products/new/wizard', Component: WizardRoute },
                { path: '/wizard', Component: WizardRoute },
                { path: '/s/:code', Component: LabelCodeRoute },
                { path: '*', Component: DashboardRoute },
              ],
            },
          ],
        },
      ],
    },
  ])
