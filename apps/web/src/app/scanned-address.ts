import type { Scanned } from '@pegasus/contracts/scan'
import { modelAddress, orderAddress, tabAddress } from './tabs.ts'

const searching = (tab: 'inventory' | 'filament', text: string): string =>
  `${tabAddress(tab)}&search=${encodeURIComponent(text)}`

/** Where what was scanned is shown. */
export function scannedAddress(found: Scanned): string {
  switch (found.kind) {
    case 'item':
      return searching('inventory', found.code)
    case 'location':
      return searching('inventory', found.facts.path)
    case 'spool':
      return searching('filament', found.code)
    case 'print_job':
      return tabAddress('print-queue')
    case 'order':
      return orderAddress(found.id)
    case 'model':
      return modelAddress(found.id)
  }
}
