import { openArchive } from '../src/zip/archive.ts'
import { createMemorySource } from '../src/byte-source.ts'
import { sanitize3mf } from '../src/threemf/sanitize-3mf.ts'
import { rejectionOf } from '../src/rejection-error.ts'
import { createStreamedReader } from '../src/read-streamed-model.ts'
import { readWhole } from './model-tools.ts'
import { mutate, mutateText } from './mutate.ts'
import { OBJ_CASES } from './obj-cases.ts'
import { ACCEPTED, REFUSED } from './stl-cases.ts'
import { seededRandom } from './stl-tools.ts'
import { CUBE_OBJECT, files3mf, modelXml, relationship, relationships } from './threemf-tools.ts'
import { buildZip, concat } from './zip-tools.ts'

/** The result of the runs. `faults` contains the first violations, each with the number of its run. */
export type FuzzReport = {
  runs: number
  accepted: number
  slowestMs: number
  peakRssMb: number
  faults: string[]
}

type Pick = (limit: number) => number

const MAX_FAULTS = 10
const SLOW_MS = 2000
const encode = (text: string) => new TextEncoder().encode(text)
const STL_SEEDS = [...ACCEPTED, ...REFUSED].map(({ bytes }) => bytes).filter((bytes) => bytes.length < 20_000)
const OBJ_SEEDS = OBJ_CASES.filter((each) => !('refused' in each)).map(({ text }) => text)
const TETRAHEDRON =
  '<vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/><vertex x="0" y="0" z="1"/>'
const SMALL = `<object id="1"><mesh><vertices>${TETRAHEDRON}</vertices><triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/></triangles></mesh></object>`
const PAIR =
  '<object id="2"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 9 0 0"/><component p:path="/3D/b.model" objectid="1"/></components></object>'
const XML_SEEDS = [
  modelXml({ objects: SMALL }),
  modelXml({
    objects: SMALL + PAIR,
    items: '<item objectid="2"/><item objectid="1"/>',
    metadata: '<metadata name="Title">a &amp; b</metadata>',
  }),
  modelXml({ objects: CUBE_OBJECT, attributes: 'unit="inch" xml:lang="en"' }),
]
const SETTINGS = '; layer_height = 0.2\n; post_process = /bin/sh\n'

/**
 * Reads `runs` damaged models of all formats and collects the violations. The same seed results in the same
 * models.
 */
export async function fuzzModels(runs: number, seed: number): Promise<FuzzReport> {
  const random = seededRandom(seed)
  const pick: Pick = (limit) => Math.floor(random() * limit)
  const report: FuzzReport = { runs, accepted: 0, slowestMs: 0, peakRssMb: 0, faults: [] }
  for (let run = 0; run < runs && report.faults.length < MAX_FAULTS; run++) {
    const bytes = damagedModel(pick)
    const before = process.threadCpuUsage()
    const faults = await examine(bytes, pick, report).catch((error: unknown) => [String(error)])
    const { user, system } = process.threadCpuUsage(before)
    // Measure CPU time instead of elapsed time, so that other load on the machine does not count.
    const tookMs = (user + system) / 1000
    report.slowestMs = Math.max(report.slowestMs, tookMs)
    if (tookMs > SLOW_MS) faults.push(`took ${tookMs} ms`)
    for (const fault of faults) report.faults.push(`run ${run} of seed ${seed}: ${fault}`)
    if (run % 256 === 0)
      report.peakRssMb = Math.max(report.peakRssMb, Math.round(process.memoryUsage.rss() / 1e6))
  }
  return report
}

/**
 * Returns a function that creates damaged models of all formats. The same seed results in the same models.
 */
export function aDamagedModel(seed: number): () => Uint8Array {
  const random = seededRandom(seed)
  return () => damagedModel((limit) => Math.floor(random() * limit))
}

function damagedModel(pick: Pick): Uint8Array {
  const oneOf = <Item>(items: Item[]) => items[pick(items.length)]!
  const kind = pick(8)
  if (kind < 2) return mutate(oneOf(STL_SEEDS), oneOf(STL_SEEDS), pick)
  if (kind < 4) return encode(mutateText(oneOf(OBJ_SEEDS), pick))
  const xml = oneOf(XML_SEEDS)
  const files = files3mf(kind < 7 ? mutateText(xml, pick) : xml, [
    {
      name: '3D/b.model',
      data: modelXml({ objects: kind === 6 ? mutateText(SMALL, pick) : SMALL, items: '' }),
    },
    ...(pick(4) === 0 ? [{ name: 'Metadata/Slic3r_PE.config', data: mutateText(SETTINGS, pick) }] : []),
    ...(pick(8) === 0
      ? [{ name: '_rels/.rels', data: mutateText(relationships(relationship('/3D/3dmodel.model')), pick) }]
      : []),
  ])
  const zip = buildZip(files.map((file) => ({ ...file, isStored: kind < 7 || pick(2) === 0 })))
  return kind === 7 ? mutate(zip, zip, pick) : zip
}

/** Reads these bytes, and returns which rules our results violate. The list is empty if they violate none. */
async function examine(bytes: Uint8Array, pick: Pick, report: FuzzReport): Promise<string[]> {
  const faults: string[] = []
  const { verdict, positions } = await readWhole(bytes)
  const streamed = inspect(bytes, pick)
  if (!verdict.ok && (verdict.message === '' || /undefined|\[object Object/.test(verdict.message)))
    faults.push(verdict.message)
  if (verdict.ok) {
    report.accepted++
    if (verdict.triangles * 9 !== positions.length) faults.push(`${verdict.triangles} triangles reported`)
    if (!positions.every(Number.isFinite)) faults.push('a corner is not finite')
  }
  if (streamed.ok && streamed.format === 'zip') {
    // Try the other functions, such as reading archives, only on some of the files.
    if (pick(4) === 0) await examineArchive(bytes)
    if (verdict.ok && pick(2) === 0) faults.push(...(await examineHandOut(bytes)))
  } else if (
    streamed.ok !== verdict.ok ||
    (!streamed.ok && !verdict.ok && streamed.message !== verdict.message)
  ) {
    faults.push('the verdict depends on how the bytes arrive')
  }
  return faults
}

function inspect(bytes: Uint8Array, pick: Pick) {
  const reader = createStreamedReader(() => {})
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + pick(Math.max(1, bytes.length >> pick(8)))
    reader.push(bytes.slice(at, end))
    at = end
  }
  return reader.finish()
}

async function examineArchive(bytes: Uint8Array) {
  const archive = await openArchive(createMemorySource(bytes))
  for (const { name } of archive.ok ? archive.entries : []) {
    try {
      for await (const _chunk of archive.ok ? archive.read(name) : []);
    } catch (error) {
      if (rejectionOf(error) === null) throw error
    }
  }
}

async function examineHandOut(bytes: Uint8Array): Promise<string[]> {
  const out = await sanitize3mf(createMemorySource(bytes))
  if (!out.ok) return ['a model that was read cannot be handed out']
  const chunks: Uint8Array[] = []
  for await (const chunk of out.bytes()) chunks.push(chunk)
  const again = await readWhole(concat(chunks))
  if (!again.verdict.ok) return [`what is handed out is refused: ${again.verdict.message}`]
  return again.verdict.slicerCommands.length > 0 ? ['a command was handed out'] : []
}
