import { measureMesh } from '../../../../packages/mesh/test/measure-mesh.ts'
import { meshWarnings } from '@pegasus/mesh/measure/mesh-warnings'
import { describe, expect, it } from 'vitest'
import { DEMO_MODELS, INCH_MODEL, OPEN_MODEL } from './catalog.ts'

const measured = DEMO_MODELS.map((model) => {
  const measures = measureMesh(model.make())
  return { ...model, measures, codes: meshWarnings(measures, []).map(({ code }) => code) }
})
const sound = measured.filter(({ fileName }) => fileName !== OPEN_MODEL && fileName !== INCH_MODEL)

describe('demo models', () => {
  it('the demo models are valid, and two of them have an intended flaw', () => {
    expect(sound.length).toBe(DEMO_MODELS.length - 2)
    const flawed = sound.filter(({ measures, codes }) => !measures.isWatertight || codes.length > 0)
    expect(flawed.map(({ fileName, codes }) => [fileName, codes])).toEqual([])
    const codesOf = (name: string) => measured.find(({ fileName }) => fileName === name)?.codes
    expect(codesOf(OPEN_MODEL)).toContain('open-edges')
    expect(codesOf(INCH_MODEL)).toEqual(['units-inches'])
  })

  it('the valid demo models touch the print bed and fit a common printer, and some have several shells', () => {
    for (const { fileName, measures } of sound) {
      const { min, size } = measures.boundingBox
      expect([fileName, Math.abs(min[2]) < 1e-3, Math.max(...size) < 220]).toEqual([fileName, true, true])
    }
    expect(sound.filter(({ measures }) => measures.shells > 1).length).toBeGreaterThan(8)
  })

  it('the demo models all have different file names, titles and volumes', () => {
    const differing = (values: readonly unknown[]) => new Set(values).size
    expect(DEMO_MODELS.length).toBeGreaterThanOrEqual(24)
    expect(differing(DEMO_MODELS.map(({ fileName }) => fileName))).toBe(DEMO_MODELS.length)
    expect(differing(DEMO_MODELS.map(({ title }) => title))).toBe(DEMO_MODELS.length)
    expect(differing(measured.map(({ measures }) => measures.volumeMm3))).toBe(DEMO_MODELS.length)
  })
})
