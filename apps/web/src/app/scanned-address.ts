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

const ADDRESS_OF: Readonly<Record<Scanned['kind'], (id: string) => string>> = {
  item: itemAddress,
  location: locationAddress,
  spool: spoolAddress,
  print_job: jobAddress,
  order: orderAddress,
  model: modelAddress,
  printer: printerAddress,
}

/** Returns the address that shows a scanned object. */
export const scannedAddress = ({ kind, id }: Pick<Scanned, 'kind' | 'id'>): string => ADDRESS_OF[kind](id)
