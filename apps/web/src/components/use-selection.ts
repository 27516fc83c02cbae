import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from './ui/overlays/toast-store.ts'
import { formatNumberOf } from '@/lib/format/format.ts'

export interface Selection<Thing extends { id: string }> {
  /** By id, in the order in which they were ticked; what is scrolled away stays. */
  things: ReadonlyMap<string, Thing>
  toggle: (thing: Thing) => void
  /** Ticks all of these as far as there is room, or takes all of their ticks away. */
  toggleAll: (all: readonly Thing[]) => void
  /** Keeps these only. */
  keep: (ids: Iterable<string>) => void
  /** Takes over what is known of them now. */
  update: (change: (thing: Thing) => Thing) => void
  clear: () => void
}

/** The rows of a list that are ticked, at most so many; Escape clears them. `one` is what they are: `item`. */
export function useSelection<Thing extends { id: string }>(one: string, most: number): Selection<Thing> {
  const [things, setThings] = useState<ReadonlyMap<string, Thing>>(new Map())
  const clear = () => setThings(new Map())
  const clearByKey = useEffectEvent(clear)
  useEffect(() => {
    if (things.size === 0) return
    const handleKey = (event: KeyboardEvent) => {
      // A dialog, a menu or a field has its own use for it.
      const isTaken = document.querySelector('[role=dialog], [role=menu]') !== null || isTyping(event.target)
      if (event.key === 'Escape' && !event.defaultPrevented && !isTaken) clearByKey()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [things.size])
  return {
    things,
    clear,
    keep: (ids) => {
      const kept = new Set(ids)
      setThings((now) => new Map([...now].filter(([id]) => kept.has(id))))
    },
    update: (change) => setThings((now) => new Map([...now].map(([id, thing]) => [id, change(thing)]))),
    toggleAll: (all) => {
      const next = new Map(things)
      const others = all.filter(({ id }) => !next.has(id))
      // Where there is no room for another, those that are ticked can still be taken back.
      const takesBack = others.length === 0 || (next.size >= most && others.length < all.length)
      if (takesBack) for (const { id } of all) next.delete(id)
      else for (const thing of all) if (next.size < most) next.set(thing.id, thing)
      if (!takesBack && all.some(({ id }) => !next.has(id)))
        toast({ title: `At most ${formatNumberOf(most, one)} at a time.` })
      setThings(next)
    },
    toggle: (thing) => {
      if (!things.has(thing.id) && things.size >= most) {
        toast({ title: `At most ${formatNumberOf(most, one)} at a time.` })
        return
      }
      const next = new Map(things)
      if (!next.delete(thing.id)) next.set(thing.id, thing)
      setThings(next)
    },
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select')
