import { describe, expect, it } from 'vitest'
import { scannedAddress } from './scanned-address.ts'

describe('the address of a scanned code', () => {
  it.each([
    ['item', '/?tab=inventory&item=7'],
    ['location', '/?tab=inventory&view=locations&place=7'],
    ['spool', '/?tab=filament&spool=7'],
    ['print_job', '/?tab=print-queue&job=7'],
    ['order', '/?tab=orders&order=7'],
    ['model', '/?tab=stl-library&model=7'],
  ] as const)('a scanned code of kind %s opens that object', (kind, address) => {
    expect(scannedAddress({ kind, id: '7' })).toBe(address)
  })
})
