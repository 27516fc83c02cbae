import { useSyncExternalStore } from 'react'

/** Media query of the `phone:` styles, for differences that styles cannot express. */
export const PHONE = '(width < 40rem)'

/** Returns whether the window matches the media query, also after a change of its size. */
export const useMatchesMedia = (media: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      const query = matchMedia(media)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(media).matches,
    // The build renders the sign-in screens for a wide window (vite/early-views.tsx).
    () => true,
  )

export const useIsPhone = (): boolean => useMatchesMedia(PHONE)
