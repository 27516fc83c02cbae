import { readStrings, useStoredValue } from '@/lib/browser/use-stored-value.ts'

/** A person's settings of a table. The browser stores them under the table's name. */
interface TableSettings {
  /** Ids of the hidden columns. */
  hidden: readonly string[]
  /** True if the rows are compact, so that more of them fit on the screen. */
  isCompact: boolean
}

const readSettings = (stored: unknown): TableSettings => {
  const { hidden, isCompact } = (stored ?? {}) as Partial<TableSettings>
  return { hidden: readStrings(hidden), isCompact: isCompact === true }
}

/**
 * Returns the settings of the table with this name, and a function that changes some of them. The name is the
 * same in every language: `orders`.
 */
export function useTableSettings(name: string) {
  const [settings, change] = useStoredValue(`pegasus-table:${name}`, readSettings)
  return {
    ...settings,
    change: (part: Partial<TableSettings>) => change((now) => ({ ...now, ...part })),
  }
}
