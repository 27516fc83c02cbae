import { lazy } from 'react'
import { loadable } from '../lib/browser/loadable.tsx'
import { preloadTab } from './tab-pages.ts'

// These routes are loaded only for signed-in people. Everybody else is redirected to the sign-in screen.

const importFrame = () => import('./signed-in.ts')
const layout = loadable(async () => (await importFrame()).SignedInLayout)
const dashboard = loadable(async () => {
  // The page of the tab loads at the same time, even after a sign-in.
  preloadTab(new URLSearchParams(location.search))
  return (await importFrame()).DashboardRoute
})

/**
 * Loads the frame, the page of the tab in the URL and its first data, before it is known who is signed in. If
 * a part cannot be loaded, the error is reported where the part is shown.
 */
export function preloadSignedIn(): { parts: Promise<unknown>; data: Promise<unknown> } {
  const search = new URLSearchParams(location.search)
  preloadTab(search)
  const frame = importFrame()
  const parts = [
    layout.preload(),
    dashboard.preload(),
    frame.then(({ preloadTabPage }) => preloadTabPage(search)),
  ]
  return {
    parts: Promise.allSettled(parts),
    data: frame.then(({ prefetchTabPage }) => prefetchTabPage(search)).catch(() => undefined),
  }
}

export const SignedInLayout = layout.Component
export const DashboardRoute = dashboard.Component

export const MediaRoute = lazy(async () => ({ default: (await import('./media.tsx')).MediaRoute }))

export const LabelCodeRoute = lazy(async () => ({
  default: (await import('./label-code.tsx')).LabelCodeRoute,
}))

export const WizardRoute = lazy(async () => ({ default: (await import('./wizard.tsx')).WizardRoute }))
