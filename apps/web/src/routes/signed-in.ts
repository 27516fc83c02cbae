// The frame of all pages behind the sign-in and the frame of a tab. They are always loaded together, with one request.
export { SignedInLayout } from './signed-in-layout.tsx'
export { DashboardRoute, preloadTabPage, prefetchTabPage } from './tab-frame.tsx'
