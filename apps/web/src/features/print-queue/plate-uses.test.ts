import type { Plate } from '@pegasus/contracts/print-queue/plates'
import { expect, test } from 'vitest'
import { usesOf } from './plate-uses.ts'

const aPlate = (printer: string | null, spool: string | null): Plate => {
  const plate: Partial<Plate> = {
    printer_id: printer,
    printer: printer && `Printer ${printer}`,
    filament_id: spool,
    filament_label: spool && `S-${spool}`,
  }
  return plate as Plate
}

test('a job on two printers names both printers and both spools, each once', () => {
  const plates = [aPlate('a', '1'), aPlate('b', '2'), aPlate('a', '1'), aPlate(null, null)]
  expect(usesOf(plates)).toEqual({
    printers: [
      { id: 'a', name: 'Printer a' },
      { id: 'b', name: 'Printer b' },
    ],
    spools: [
      { id: '1', name: 'S-1' },
      { id: '2', name: 'S-2' },
    ],
  })
})
