import { createBrowserRouter } from 'react-router'
import { ErrorPage } from './error-page.tsx'
import { RequireSession, SignedOutOnly } from './guards.tsx'
import { LoadingScreen } from './loading-screen.tsx'
import { DashboardRoute, MediaRoute, SignedInLayout, WizardRoute } from './signed-in-routes.tsx'

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
              lazy: { Component: async () => (await import('../routes/login.tsx')).LoginRoute },
            },
            {
              path: '/legacy-login',
              lazy: { Component: async () => (await import('../routes/legacy-login.tsx')).LegacyLoginRoute },
            },
          ],
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
                { path: '*', Component: DashboardRoute },
              ],
            },
          ],
        },
      ],
    },
  ])
