import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import { useEffect } from 'react'

/** Sets the title of the browser tab while the component is mounted. Undefined leaves the title unchanged. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return undefined
    const before = document.title
    document.title = `${title} · ${PRODUCT_NAME}`
    return () => {
      document.title = before
    }
  }, [title])
}
