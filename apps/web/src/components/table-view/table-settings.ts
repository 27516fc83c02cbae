import { useSyncExternalStore } from 'react'
import { logWarning } from '@/lib/browser/log.ts'

/** A person's settings of a table. The browser keeps them for each table by its label. */
interface TableSettings {
  /** Ids of the hidden columns. */
  hidden: readonly string[]
  /** True if the rows are low, so that more rows fit on the screen. */
  isCompact: boolean
}

const USUAL: TableSettings = { hidden: [], isCompact: false }

const known = new Map<string, TableSettings>()
const listeners = new Set<() => void>()

const keyOf = (label: string): string => `pegasus-table:${label}`

function parse(text: string | null): TableSettings {
  if (text === null) return USUAL
  try {
    const { hidden, isCompact } = JSON.parse(text) as Partial<TableSettings>
    return {
      hidden: Array.isArray(hidden) ? hidden.filter((id) => typeof id === 'string') : [],
      isCompact: isCompact === true,
    }
  } catch (error) {
    logWarning('The stored view of a table is not readable', error)
    return USUAL
  }
}

function read(label: string): TableSettings {
  const settings = known.get(label) ?? parse(localStorage.getItem(keyOf(label)))
  known.set(label, settings)
  return settings
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the settings of the table with this label, and a function that changes some of them. */
export function useTableSettings(label: string) {
  const settings = useSyncExternalStore(subscribe, () => read(label))
  return {
    ...settings,
    change: (part: Partial<TableSettings>) => {
      const next = { ...read(label), ...part }
      known.set(label, next)
      localStorage.setItem(keyOf(label), JSON.stringify(next))
      for (const listener of listeners) listener()
    },
  }
}
