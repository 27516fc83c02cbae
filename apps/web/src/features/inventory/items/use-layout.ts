import { useStoredValue } from '@/lib/browser/use-stored-value.ts'
import { LAYOUTS, type Layout, readLayout } from '../inventory-address.ts'

const readStored = (stored: unknown): Layout | null => LAYOUTS.find((each) => each === stored) ?? null

/**
 * Returns the layout of the item list, and a function that remembers a choice in this browser. The layout in the URL
 * comes first, then the remembered one. Otherwise the list shows cards, or on a phone rows, because more of them fit.
 */
export function useLayout(
  params: URLSearchParams,
  isPhone: boolean,
): readonly [Layout, (layout: Layout) => void] {
  const [stored, change] = useStoredValue('pegasus-inventory:layout', readStored)
  const layout = readLayout(params) ?? stored ?? (isPhone ? 'list' : 'cards')
  return [layout, (next) => change(() => next)]
}
