import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import { useEffect } from 'react'

/** Names the browser's tab while the component is shown; undefined names nothing yet. */
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
