import { useSyncExternalStore } from 'react'

/** The same width as the `phone:` styles, for differences beyond style. */
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
