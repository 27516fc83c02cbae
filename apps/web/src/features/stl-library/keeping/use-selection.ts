import type { StlFile } from '@pegasus/contracts/stl-files'
import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from '@/components/ui/toast-store.ts'

/** As many as one change takes. */
export const MAX_SELECTED = 1000

export type SelectedModel = Pick<StlFile, 'id' | 'title' | 'file_size' | 'file_name'>

export interface Selection {
  /** By id, in the order in which they were ticked; what is scrolled away stays. */
  models: ReadonlyMap<string, SelectedModel>
  toggle: (model: SelectedModel) => void
  /** Keeps these only. */
  keep: (ids: Iterable<string>) => void
  clear: () => void
}

/** The models that are ticked; Escape clears them. */
export function useSelection(): Selection {
  const [models, setModels] = useState<ReadonlyMap<string, SelectedModel>>(new Map())
  const clear = () => setModels(new Map())
  const clearByKey = useEffectEvent(clear)
  useEffect(() => {
    if (models.size === 0) return
    const handleKey = (event: KeyboardEvent) => {
      // A dialog, a menu or a field has its own use for it.
      const isTaken = document.querySelector('[role=dialog], [role=menu]') !== null || isTyping(event.target)
      if (event.key === 'Escape' && !event.defaultPrevented && !isTaken) clearByKey()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [models.size])
  return {
    models,
    clear,
    keep: (ids) => {
      const kept = new Set(ids)
      setModels((now) => new Map([...now].filter(([id]) => kept.has(id))))
    },
    toggle: (model) => {
      if (!models.has(model.id) && models.size >= MAX_SELECTED) {
        toast({ title: `At most ${MAX_SELECTED} models at a time.` })
        return
      }
      const next = new Map(models)
      if (!next.delete(model.id)) next.set(model.id, model)
      setModels(next)
    },
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select')
