import { lazy } from 'react'
import { preloadTab } from './tab-pages.ts'

// Loaded by React.lazy and not by the router, because the router would load them for people who are about to be
// redirected to the sign-in.

const importDashboard = () => import('./dashboard.tsx')

const importLayout = () => import('./signed-in-layout.tsx')

/** Loads what almost every signed-in page needs, before the server has said who is signed in. */
export function preloadSignedIn(): void {
  // A part that cannot be loaded is reported where it is needed.
  importLayout().catch(() => undefined)
  importDashboard().catch(() => undefined)
  preloadTab(new URLSearchParams(location.search))
}

export const SignedInLayout = lazy(async () => ({ default: (await importLayout()).SignedInLayout }))

export const DashboardRoute = lazy(async () => ({ default: (await importDashboard()).DashboardRoute }))

export const MediaRoute = lazy(async () => ({ default: (await import('./media.tsx')).MediaRoute }))

export const LabelCodeRoute = lazy(async () => ({
  default: (await import('./label-code.tsx')).LabelCodeRoute,
}))

export const WizardRoute = lazy(async () => ({ default: (await import('./wizard.tsx')).WizardRoute }))
