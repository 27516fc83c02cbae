import { describe, expect, it } from 'vitest'
import type { MeshMeasures } from '../src/measure/measure.ts'
import { measureMesh } from './measure-mesh.ts'
import { parseStl } from '../src/stl/parse-stl.ts'
import type { MeshWarning } from '../src/types.ts'
import { meshWarnings } from '../src/measure/mesh-warnings.ts'
import { inMillimeters, loadModels, type CorpusModel } from './model-source.ts'
import { readWhole } from './model-tools.ts'
import { inspectInChunks, withoutPositions } from './stl-tools.ts'

const { source, models } = loadModels()
const all = loadModels(/\.(stl|3mf|obj)$/i).models

// The manifest counts as we do. Vertices are welded exactly. A degenerate triangle repeats a vertex, and does not count
// as a duplicate. Shells are connected through shared vertices; with shared edges instead, `idler_riser` would have 3
// shells and not 2. Winding errors are counted only at edges of exactly two triangles.
const EXACT = [
  ['shells', 'shells'],
  ['open_edges', 'openEdges'],
  ['nonmanifold_edges', 'nonManifoldEdges'],
  ['winding_errors', 'windingErrors'],
  ['degenerate', 'degenerateTriangles'],
  ['duplicate_faces', 'duplicateTriangles'],
  ['triangles', 'triangles'],
] as const

describe(`${source} models`, () => {
  const results = models.map((model) => ({ model, problems: listProblems(model) }))

  it('reading each test model gives the result that the manifest states', () => {
    expect(models.length).toBeGreaterThan(8)
    expect(results.flatMap(({ problems }) => problems)).toEqual([])
  })

  it('T66 the reader for all formats gives the results that the manifest states for the test models', async () => {
    const problems = await Promise.all(all.map(listProblemsOfAny))
    console.log(`T66 models right ${problems.filter((list) => list.length === 0).length} of ${all.length}`)
    expect(all.length).toBeGreaterThan(models.length + 2)
    expect(problems.flat()).toEqual([])
  })

  it('the STL parser parses the numbers in ASCII test models exactly as Number() does', () => {
    const texts = models.filter(({ bytes, truth }) => truth['expect'] !== 'reject' && isAscii(bytes))
    expect(texts.length).toBeGreaterThan(0)
    for (const { bytes } of texts) {
      const parsed = parseStl(bytes)
      expect(parsed.ok && firstDifference(parsed.positions, bytes)).toBe(-1)
    }
  })
})

function isAscii(bytes: Uint8Array): boolean {
  const parsed = parseStl(bytes)
  return parsed.ok && parsed.encoding === 'ascii'
}

/**
 * Returns the index of the first float that differs from the result of Number() for the text, or −1 if all are equal.
 */
function firstDifference(positions: Float32Array, bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes)
  let at = 0
  for (const [, x, y, z] of text.matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/gi)) {
    for (const word of [x, y, z]) {
      if (!Object.is(positions[at], Math.fround(Number(word)))) return at
      at++
    }
  }
  return at === positions.length ? -1 : at
}

/** Reads a test model of any format. Lists the differences between the result and the model's true properties. */
async function listProblemsOfAny({ file, bytes, truth }: CorpusModel): Promise<string[]> {
  const problems: string[] = []
  const check = (isRight: boolean, what: string) => {
    if (!isRight) problems.push(`${file}: ${what}`)
  }
  const { verdict, positions } = await readWhole(bytes)
  const isRejected = truth['expect']?.startsWith('reject') ?? false
  check(verdict.ok !== isRejected, verdict.ok ? 'accepted' : `refused: ${verdict.message}`)
  if (!verdict.ok) return problems
  check(file.toLowerCase().endsWith(verdict.format), `detected as ${verdict.format}`)
  check(verdict.triangles === positions.length / 9, `${verdict.triangles} triangles reported`)
  const measures = measureMesh(positions)
  checkMeasures(measures, inMillimeters(truth), check)
  checkWarnings(verdict, measures, truth, check)
  return problems
}

/**
 * Reads an STL. Lists the differences between our results and the model's true properties, each with the file's name.
 */
function listProblems({ file, bytes, truth }: CorpusModel): string[] {
  const problems: string[] = []
  const check = (isRight: boolean, what: string) => {
    if (!isRight) problems.push(`${file}: ${what}`)
  }
  const parsed = parseStl(bytes)
  const inspected = inspectInChunks(
    bytes,
    [1, 83, 1000, 4096, 65_536, 1_000_003].filter((cut) => cut < bytes.length),
  )
  check(
    JSON.stringify(inspected) === JSON.stringify(withoutPositions(parsed)),
    'inspector and parser disagree',
  )
  const isRejected = truth['expect']?.startsWith('reject') ?? false
  check(parsed.ok !== isRejected, parsed.ok ? 'accepted' : `refused: ${parsed.message}`)
  if (!parsed.ok) return problems
  const measures = measureMesh(parsed.positions)
  checkMeasures(measures, truth, check)
  checkWarnings(parsed, measures, truth, check)
  return problems
}

function checkMeasures(
  measures: MeshMeasures,
  truth: CorpusModel['truth'],
  check: (isRight: boolean, what: string) => void,
) {
  const { boundingBox } = measures
  const diagonal = Math.hypot(...boundingBox.size)
  for (const [column, corner] of [
    ['bbox_min', boundingBox.min],
    ['bbox_max', boundingBox.max],
  ] as const) {
    const expected = truth[column]?.split(',').map(Number) ?? []
    check(
      expected.length === 3 &&
        expected.every((value, axis) => Math.abs(value - corner[axis]!) <= 1e-5 * diagonal),
      `${column} ${corner}`,
    )
  }
  for (const [column, field] of EXACT) {
    const expected = truth[column]
    if (expected)
      check(Number(expected) === measures[field], `${column} is ${measures[field]}, not ${expected}`)
  }
  if (truth['closed'])
    check((truth['closed'] === '1') === measures.isWatertight, `closed is ${measures.isWatertight}`)
  check(
    measures.isVolumeTrusted === (truth['volume_trust'] !== 'disagree'),
    `volume trusted ${measures.isVolumeTrusted}`,
  )
  if (truth['volume'] && measures.isVolumeTrusted)
    check(isNear(measures.volumeMm3, truth['volume']), `volume ${measures.volumeMm3}`)
  if (truth['area']) check(isNear(measures.surfaceAreaMm2, truth['area']), `area ${measures.surfaceAreaMm2}`)
}

function isNear(value: number, expected: string): boolean {
  return Math.abs(value - Number(expected)) <= 1e-4 * Math.abs(Number(expected))
}

function checkWarnings(
  parsed: { warnings: MeshWarning[] },
  measures: MeshMeasures,
  truth: CorpusModel['truth'],
  check: (isRight: boolean, what: string) => void,
) {
  const codes = meshWarnings(measures, parsed.warnings).map((warning) => warning.code)
  if (truth['expect'] === 'accept+warn') check(codes.length > 0, 'no warning')
  // A model with holes is accepted with a warning.
  if (truth['expect'] !== 'accept' || truth['closed'] === '0') return
  // A part of a few millimeters may get a warning about its units. A part of ordinary size must not get any warning.
  const isClearlyMm = Math.max(...measures.boundingBox.size) >= 10
  const remarks = isClearlyMm ? codes : codes.filter((code) => !code.startsWith('units-'))
  check(remarks.length === 0, `warned: ${remarks}`)
}
