import { useSyncExternalStore } from 'react'

/** The width of the `phone:` styles, for differences that styles cannot express. */
export const PHONE = '(width < 40rem)'

export const useIsPhone = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const query = matchMedia(PHONE)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(PHONE).matches,
  )
