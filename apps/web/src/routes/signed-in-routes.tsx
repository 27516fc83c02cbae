import { lazy } from 'react'

// Loaded by React.lazy and not by the router, because the router would load them for people who are about to be
// redirected to the sign-in.

const importDashboard = () => import('./dashboard.tsx')

export const SignedInLayout = lazy(async () => {
  // Almost everybody goes to the dashboard, so it is loaded in parallel and not afterwards.
  void importDashboard()
  return { default: (await import('./signed-in-layout.tsx')).SignedInLayout }
})

export const DashboardRoute = lazy(async () => ({ default: (await importDashboard()).DashboardRoute }))

export const MediaRoute = lazy(async () => ({ default: (await import('./media.tsx')).MediaRoute }))

export const LabelCodeRoute = lazy(async () => ({
  default: (await import('./label-code.tsx')).LabelCodeRoute,
}))

export const WizardRoute = lazy(async () => ({ default: (await import('./wizard.tsx')).WizardRoute }))
