import { describe, expect, it } from 'vitest'
import { type MeshMeasures, measureMesh } from '../src/measure.ts'
import { type ParsedStl, parseStl } from '../src/parse-stl.ts'
import { meshWarnings } from '../src/warnings.ts'
import { loadModels, type Model } from './model-source.ts'
import { inspectInChunks, withoutPositions } from './stl-tools.ts'

const { source, models } = loadModels()

// The manifest's conventions, all of which are ours too: exact welding, degenerate = a repeated vertex, duplicates
// counted among the other triangles only, shells connected through shared vertices (through shared edges,
// idler_riser would have 3 and not 2), winding errors only at edges of exactly two triangles.
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

  it('all come out as their manifest says', () => {
    const right = results.filter(({ problems }) => problems.length === 0).length
    console.log(`T66 models right ${right}/${models.length}`)
    expect(models.length).toBeGreaterThan(8)
    expect(results.flatMap(({ problems }) => problems)).toEqual([])
  })

  it('have their ASCII numbers read exactly as Number() reads them', () => {
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

/** Index of the first float that differs from what the platform's own number reader makes of the text; −1 if none. */
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

/** Every difference between a model's truth and what we say, each with the file's name; empty where all is right. */
function listProblems({ file, bytes, truth }: Model): string[] {
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
  truth: Model['truth'],
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
  parsed: ParsedStl,
  measures: MeshMeasures,
  truth: Model['truth'],
  check: (isRight: boolean, what: string) => void,
) {
  const codes = meshWarnings(measures, parsed.warnings).map((warning) => warning.code)
  if (truth['expect'] === 'accept+warn') check(codes.length > 0, 'no warning')
  if (truth['expect'] !== 'accept') return
  // Parts of a few millimetres may be asked about their units; a plain good part must come without any remark.
  const isClearlyMm = Math.max(...measures.boundingBox.size) >= 10
  const remarks = isClearlyMm ? codes : codes.filter((code) => !code.startsWith('units-'))
  check(remarks.length === 0, `warned: ${remarks}`)
}
