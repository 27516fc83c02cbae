import { useEffect, useState, useSyncExternalStore } from 'react'
import { createDraftKeeper, type DraftKeeper, type DraftState } from './draft-keeper.ts'

/** The draft, restored from the browser's own copy, and saved while the wizard is open. */
export function useDraft(accountId: string): { keeper: DraftKeeper; state: DraftState } {
  const [keeper] = useState(() => createDraftKeeper(accountId))
  const state = useSyncExternalStore(keeper.subscribe, keeper.getState)
  useEffect(() => {
    const resume = () => void keeper.save()
    addEventListener('pagehide', keeper.close)
    addEventListener('online', resume)
    void keeper.catchUp().then(resume)
    return () => {
      removeEventListener('pagehide', keeper.close)
      removeEventListener('online', resume)
      keeper.close()
    }
  }, [keeper])
  return { keeper, state }
}
