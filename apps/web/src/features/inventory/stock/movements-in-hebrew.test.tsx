import type { MovedItem } from '@pegasus/contracts/inventory/stock-movements'
import { expect, it } from 'vitest'
import { inHebrew } from '../../../../gallery/in-hebrew.ts'
import { showHtml } from '../../../../gallery/text-edges.ts'

inHebrew()

it('in Hebrew, a sign is to the left of its number, and an arrow leads to the new value', async () => {
  const labels = await import('./movement-labels.ts')
  const aMove = {
    kind: 'adjust',
    delta: -2,
    reserved_delta: 0,
    reason: null,
    from_location: null,
    to_location: null,
  }
  type Movement = Parameters<typeof labels.movementDetail>[0]
  const leftOfSigned = showHtml(`<p>${labels.formatSigned(-2)} נלקחו</p>`)
  expect(leftOfSigned('−')).toBeLessThan(leftOfSigned('2'))
  const changed = { name: 'Wall hook 7', movement: { ...aMove, quantity_after: 3 } } as unknown as MovedItem
  const leftOf = showHtml(`<p>${labels.describeMovement(changed)}</p>`)
  expect(leftOf('5')).toBeLessThan(leftOf('Wall'))
  expect(leftOf('←')).toBeLessThan(leftOf('5'))
  expect(leftOf('3')).toBeLessThan(leftOf('←'))
  const moved = { ...aMove, kind: 'move', from_location: 'Rack A', to_location: 'Shelf B' } as Movement
  const leftOfPlace = showHtml(`<p>${labels.movementDetail(moved)}</p>`)
  expect(leftOfPlace('←')).toBeLessThan(leftOfPlace('Rack'))
  expect(leftOfPlace('Shelf')).toBeLessThan(leftOfPlace('←'))
})
