import { expect, test } from 'vitest'
import { fullScaleGrams, type MaterialBalance, missingGrams, pickMaterials } from './filament-rows.ts'

const balance = (material: string | null, remaining: number, needed = 0): MaterialBalance => ({
  material,
  spools: 1,
  remaining_grams: remaining,
  needed_grams: needed,
})

test('the filament chart always includes a material if the queue needs more of it than is left', () => {
  const all = [balance('PLA', 900), balance('PETG', 800), balance('ABS', 700), balance('ASA', 10, 60)]
  expect(pickMaterials(all, 2).map(({ material }) => material)).toEqual(['PLA', 'ASA'])
  expect(missingGrams(balance('ASA', 10, 60))).toBe(50)
  expect(missingGrams(balance('PLA', 10, 5))).toBe(0)
})

test('one huge print job does not shrink all other bars of the filament chart', () => {
  expect(fullScaleGrams([balance('PLA', 1000, 50_000)])).toBe(2000)
  expect(fullScaleGrams([balance('PLA', 1000, 1500)])).toBe(1500)
  expect(fullScaleGrams([balance(null, 0, 30)])).toBe(30)
  expect(fullScaleGrams([])).toBe(1)
})
