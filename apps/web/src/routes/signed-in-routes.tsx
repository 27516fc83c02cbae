import { lazy } from 'react'

// Lazy by React, not by the router: the router would fetch these for people who are about to be sent to sign in.

const importDashboard = () => import('./dashboard.tsx')

export const SignedInLayout = lazy(async () => {
  // Nearly everybody is on the way to the dashboard: fetch it along, not after.
  void importDashboard()
  return { default: (await import('./signed-in-layout.tsx')).SignedInLayout }
})

export const DashboardRoute = lazy(async () => ({ default: (await importDashboard()).DashboardRoute }))

export const MediaRoute = lazy(async () => ({ default: (await import('./media.tsx')).MediaRoute }))

export const LabelCodeRoute = lazy(async () => ({
  default: (await import('./label-code.tsx')).LabelCodeRoute,
}))

export const WizardRoute = lazy(async () => ({ default: (await import('./wizard.tsx')).WizardRoute }))
