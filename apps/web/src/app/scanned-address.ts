import type { Scanned } from '@pegasus/contracts/labels/scan'
import {
  itemAddress,
  jobAddress,
  locationAddress,
  modelAddress,
  orderAddress,
  printerAddress,
  spoolAddress,
} from './tabs.ts'

/** The address that shows a scanned subject. */
export function scannedAddress({ kind, id }: Pick<Scanned, 'kind' | 'id'>): string {
  switch (kind) {
    case 'item':
      return itemAddress(id)
    case 'location':
      return locationAddress(id)
    case 'spool':
      return spoolAddress(id)
    case 'print_job':
      return jobAddress(id)
    case 'order':
      return orderAddress(id)
    case 'model':
      return modelAddress(id)
    case 'printer':
      return printerAddress(id)
  }
}
