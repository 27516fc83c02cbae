import { describe, expect, test } from 'vitest'
import {
  formatFigure,
  formatMm,
  formatSize,
  measureLine,
  solidWeightGrams,
  surfaceCm2,
  volumeCm3,
} from './model-measures.ts'

describe("formatting a model's measures", () => {
  test.each([
    [127, '127.0'],
    [34.925, '34.9'],
    [1234.56, '1,234.6'],
    [0.2, '0.2'],
    [0.02, '0.02'],
    [0, '0.0'],
  ])("a model's length of %d mm is shown as %s", (mm, text) => {
    expect(formatMm(mm)).toBe(text)
  })

  test.each([
    [0.01234, '0.012'],
    [2.2e-7, '< 0.001'],
    [7.9375, '7.94'],
    [334.56, '334.6'],
    [1234.5, '1,234.5'],
    [0, '0.00'],
  ])("a model's figure %d is shown as %s", (value, text) => {
    expect(formatFigure(value)).toBe(text)
  })

  test('the card of a model shows size and triangles in one line', () => {
    const box = { min: [0, 0, 0], max: [127, 63.5, 34.925], size: [127, 63.5, 34.925] }
    expect(measureLine({ bounding_box_mm: box as never, triangles: 3476 })).toBe(
      `${formatSize([127, 63.5, 34.925])} mm · 3,476 triangles`,
    )
    expect(measureLine({ bounding_box_mm: null, triangles: null })).toBeNull()
    expect(measureLine({ bounding_box_mm: null, triangles: 1 })).toBe('1 triangle')
  })

  test('volume, surface and PLA weight of a model are computed from its measures', () => {
    const model = { volume_mm3: 190_544, surface_area_mm2: 34_730 }
    expect(volumeCm3(model)).toBeCloseTo(190.544)
    expect(surfaceCm2(model)).toBeCloseTo(347.3)
    expect(solidWeightGrams(model)).toBeCloseTo(236.27, 1)
  })

  test('no weight is shown for a model whose volume is not reliable', () => {
    expect(volumeCm3({ volume_mm3: null })).toBeNull()
    expect(solidWeightGrams({ volume_mm3: null })).toBeNull()
  })
})

test('an absurdly large figure, which a faulty file can cause, is shown in a short form', () => {
  expect(formatMm(6.8e38)).toBe('6.8e+38')
  expect(formatFigure(1e117)).toBe('1.0e+117')
  expect(formatMm(1_800_000)).toBe('1,800,000.0')
})
