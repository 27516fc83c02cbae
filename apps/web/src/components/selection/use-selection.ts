import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from '../ui/overlays/toast-store.ts'
import { t } from '@/lib/i18n/messages.ts'
import { type Noun, NOUNS } from '@/lib/i18n/nouns.ts'

export interface Selection<Thing extends { id: string }> {
  /** The selected rows by id, in the order of selection. Rows that are scrolled out of view stay selected. */
  things: ReadonlyMap<string, Thing>
  toggle: (thing: Thing) => void
  /** Selects all rows between the row that was toggled last and this row, as far as the limit allows. */
  extendTo: (thing: Thing, all: readonly Thing[]) => void
  /**
   * Selects as many of these rows as the limit allows. If all of them are selected already, or the limit is reached,
   * they are deselected instead.
   */
  toggleAll: (all: readonly Thing[]) => void
  /** Deselects all rows except these. */
  keep: (ids: Iterable<string>) => void
  /** Updates the selected rows after a change. */
  update: (change: (thing: Thing) => Thing) => void
  clear: () => void
}

/** The selected rows of a list, at most `max`. Escape clears the selection. `one` is the noun for the rows. */
export function useSelection<Thing extends { id: string }>(one: Noun, max: number): Selection<Thing> {
  const [things, setThings] = useState<ReadonlyMap<string, Thing>>(new Map())
  const [lastId, setLastId] = useState<string | null>(null)
  const add = (next: Map<string, Thing>, more: readonly Thing[]) => {
    for (const thing of more) if (next.size < max) next.set(thing.id, thing)
    if (more.some(({ id }) => !next.has(id)))
      toast({ title: t('At most {max} at a time.', { max: NOUNS[one].count(max) }) })
    setThings(next)
  }
  const clear = () => setThings(new Map())
  const clearByKey = useEffectEvent(clear)
  useEffect(() => {
    if (things.size === 0) return
    const handleKey = (event: KeyboardEvent) => {
      // Dialogs, menus and fields handle Escape on their own.
      const isHandledElsewhere =
        document.querySelector('[role=dialog], [role=menu]') !== null || isTyping(event.target)
      if (event.key === 'Escape' && !event.defaultPrevented && !isHandledElsewhere) clearByKey()
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
      // If the limit is reached, the click deselects instead.
      const isDeselecting = others.length === 0 || (next.size >= max && others.length < all.length)
      if (!isDeselecting) return add(next, all)
      for (const { id } of all) next.delete(id)
      setThings(next)
    },
    extendTo: (thing, all) => {
      const to = all.findIndex(({ id }) => id === thing.id)
      const last = all.findIndex(({ id }) => id === lastId)
      const from = last < 0 ? to : last
      setLastId(thing.id)
      add(new Map(things), all.slice(Math.min(from, to), Math.max(from, to) + 1))
    },
    toggle: (thing) => {
      setLastId(thing.id)
      if (!things.has(thing.id) && things.size >= max) {
        toast({ title: t('At most {max} at a time.', { max: NOUNS[one].count(max) }) })
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
