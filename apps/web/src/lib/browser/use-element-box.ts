import { type RefCallback, useCallback, useState } from 'react'
import { PHONE } from './use-is-phone.ts'

interface ElementBox {
  width: number
  /** Distance of the element's upper edge from the top of the page, in pixels. */
  pageTop: number
  /** True if the window is narrow enough for the `phone:` styles. */
  isPhone: boolean
}

/** Returns the current position and width of an element. All values are 0 before the first layout. */
export function useElementBox<T extends HTMLElement>(): [RefCallback<T>, ElementBox] {
  const [box, setBox] = useState<ElementBox>({ width: 0, pageTop: 0, isPhone: false })
  const ref = useCallback((element: T | null) => {
    if (!element) return
    const measure = () => {
      const width = element.clientWidth
      const pageTop = Math.round(element.getBoundingClientRect().top + window.scrollY)
      const isPhone = window.matchMedia(PHONE).matches
      setBox((last) =>
        last.width === width && last.pageTop === pageTop && last.isPhone === isPhone
          ? last
          : { width, pageTop, isPhone },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    // A wrapping toolbar or an error above the element moves it without resizing it, but resizes its parent.
    observer.observe(element)
    if (element.parentElement) observer.observe(element.parentElement)
    return () => observer.disconnect()
  }, [])
  return [ref, box]
}
