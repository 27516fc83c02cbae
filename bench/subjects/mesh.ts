import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { interleave, median, medianRatio } from '../lib/figures.ts'
import { ADMESH, F3D, type MeshTool, runTool } from '../lib/mesh-tools.ts'
import { scrambleModelFile, triangleCountFor, writeModelFile, writeTextModelFile } from '../lib/model-file.ts'
import type { Scratch } from '../lib/scratch.ts'
import { IS_FULL } from '../lib/settings.ts'
import { figure, note, printTable, times, verdict } from '../lib/table.ts'
import type { MeshResult, MeshTask } from './mesh.child.ts'

const SIZE_BYTES = 100_000_000
/** The size of the binary STL. An ASCII STL with the same triangles is five times as large, so this one is smaller. */
const TEXT_SIZE_BYTES = 20_000_000
const MEMORY_SIZES_MB = [10, 100, 500]
const ROUNDS = IS_FULL ? 5 : 2
const RUNS_PER_ROUND = 2
const TOOLS: readonly MeshTool[] = [ADMESH, F3D]

/**
 * The files: two million triangles in order, the same in random order, and 400,000 triangles in an ASCII STL.
 */
type ModelFile = 'ordered' | 'scrambled' | 'text'

/** A piece of work on a model, done by our code, a library or another program. */
interface Work {
  name: string
  by: MeshTask | MeshTool
  on: ModelFile
}

const STREAMED: Work = { by: 'streamed', name: 'a bare streamed pass: box, volume, area', on: 'ordered' }
const METER: Work = { by: 'meter', name: 'ours, streamed: box, volume, area', on: 'ordered' }
const PARSE: Work = { by: 'parse', name: 'ours: read and parsed', on: 'ordered' }
const THREE: Work = { by: 'three', name: 'three.js STLLoader: read and parsed', on: 'ordered' }
const THREE_PARSE: Work = {
  by: 'threeParse',
  name: 'three.js STLLoader: parsed, reading not counted',
  on: 'ordered',
}
const METER_TEXT: Work = { by: 'meter', name: 'ours, an ASCII STL: box, volume, area', on: 'text' }
const THREE_TEXT: Work = {
  by: 'three',
  name: 'three.js STLLoader: the ASCII STL read and parsed',
  on: 'text',
}
const CHECK: Work = { by: 'check', name: 'ours: read, edges checked', on: 'ordered' }
const CHECK_SCRAMBLED: Work = { by: 'check', name: 'ours: the same, scrambled', on: 'scrambled' }
const PICTURE: Work = { by: 'picture', name: 'ours: read, a picture of 480 px', on: 'ordered' }
const EDGES: Work = { by: ADMESH, name: ADMESH.name, on: 'ordered' }
const EDGES_SCRAMBLED: Work = { by: ADMESH, name: 'admesh -e: the same, scrambled', on: 'scrambled' }
const F3D_PICTURE: Work = { by: F3D, name: F3D.name, on: 'ordered' }

const WORKS: readonly Work[] = [
  STREAMED,
  METER,
  { by: 'inspect', name: 'ours, streamed: the check of structure during the upload', on: 'ordered' },
  PARSE,
  THREE,
  THREE_PARSE,
  METER_TEXT,
  THREE_TEXT,
  CHECK,
  EDGES,
  CHECK_SCRAMBLED,
  EDGES_SCRAMBLED,
  PICTURE,
  F3D_PICTURE,
]

/** The comparisons: our code, its baseline, and the target. */
const COMPARISONS: readonly { ours: Work; baseline: Work; target?: number }[] = [
  { ours: METER, baseline: STREAMED, target: 1.5 },
  { ours: METER, baseline: THREE_PARSE, target: 0.5 },
  // Both sides do the same work: they load all triangles into memory.
  { ours: PARSE, baseline: THREE },
  { ours: METER_TEXT, baseline: THREE_TEXT, target: 0.5 },
  { ours: CHECK, baseline: EDGES, target: 1 },
  { ours: CHECK_SCRAMBLED, baseline: EDGES_SCRAMBLED, target: 2 },
  { ours: PICTURE, baseline: F3D_PICTURE, target: 1 },
]

/** Measures time and memory for reading, measuring, checking and drawing one large model. */
export async function measureMeshes(scratch: Scratch): Promise<void> {
  const paths: Readonly<Record<ModelFile, string>> = {
    ordered: `${scratch.folder}/model.stl`,
    scrambled: `${scratch.folder}/scrambled.stl`,
    text: `${scratch.folder}/text.stl`,
  }
  await writeModelFile(paths.ordered, SIZE_BYTES)
  await scrambleModelFile(paths.ordered, paths.scrambled)
  await writeTextModelFile(paths.text, TEXT_SIZE_BYTES)
  const missing = TOOLS.filter((tool) => runTool(tool, paths.ordered) === null)
  const results = await interleave<MeshResult>(
    WORKS.filter(({ by }) => !missing.some((tool) => tool === by)).map((work) => ({
      name: work.name,
      run: () => carryOut(work, paths[work.on]),
    })),
    ROUNDS,
    { warmUp: false },
  )
  assertSameVolume(results)
  const byName = new Map(
    [...results].map(([name, rounds]) => [name, rounds.map(({ runsMs }) => median(runsMs))]),
  )
  printAll(results, byName)
  printComparisons(byName)
  await printMemory(scratch)
  for (const { name } of missing)
    note(`Not compared, because it is not installed or does not run here: ${name}.`)
}

type MillisecondsByName = ReadonlyMap<string, readonly number[]>

function printAll(results: ReadonlyMap<string, MeshResult[]>, byName: MillisecondsByName): void {
  const triangles = triangleCountFor(SIZE_BYTES).toLocaleString('en-GB')
  printTable(
    `mesh: a binary STL of 100 MB (${triangles} triangles), the ASCII one with a fifth of them`,
    ['what', 'ms', 'peak memory, MB'],
    [...results].map(([name, rounds]) => [
      name,
      figure(median(byName.get(name)!)),
      figure(median(rounds.map(({ peakMb }) => peakMb))),
    ]),
  )
  note(
    'Each runs in its own process: ours after one warm-up run, the programs including their start. The file is in the cache of the system.',
  )
}

function printComparisons(byName: MillisecondsByName): void {
  const rows = COMPARISONS.flatMap(({ ours, baseline, target }) => {
    const theirs = byName.get(baseline.name)
    if (!theirs) return []
    const ratio = medianRatio(byName.get(ours.name)!, theirs)
    const judgement = target === undefined ? [] : [`≤ ${times(target)}`, verdict(ratio <= target)]
    return [[ours.name, baseline.name, times(ratio), ...judgement]]
  })
  printTable('mesh: against others, round by round', ['what', 'baseline', 'ratio', 'target', ''], rows)
}

/** The jobs that run on files of several sizes. `isFlat` means that the memory must not grow with the file. */
const SIZED: readonly { task: MeshTask; name: string; isFlat: boolean }[] = [
  { task: 'streamed', name: 'a bare streamed pass: box, volume, area', isFlat: true },
  { task: 'meter', name: METER.name, isFlat: true },
  { task: 'inspect', name: 'ours, streamed: the check of structure during the upload', isFlat: true },
  { task: 'check', name: CHECK.name, isFlat: false },
]
/** The highest acceptable ratio between the memory for the largest and for the smallest file. */
const FLAT = 1.1

/** Prints peak memory and time by the size of the file. */
async function printMemory(scratch: Scratch): Promise<void> {
  const results = new Map<MeshTask, MeshResult[]>(SIZED.map(({ task }) => [task, []]))
  for (const sizeMb of MEMORY_SIZES_MB) {
    const path = `${scratch.folder}/sized.stl`
    await writeModelFile(path, sizeMb * 1_000_000)
    for (const [task, found] of results) found.push(await runInChild(task, path, 1))
  }
  const rows = SIZED.map(({ task, name, isFlat }) => {
    const found = results.get(task)!
    const growth = found.at(-1)!.peakMb / found[0]!.peakMb
    const cells = found.map(({ peakMb, runsMs }) => `${figure(peakMb)} MB, ${figure(median(runsMs))} ms`)
    return [name, ...cells, ...(isFlat ? [`≤ ${times(FLAT)}`, verdict(growth <= FLAT)] : ['grows', ''])]
  })
  const sizes = MEMORY_SIZES_MB.map((sizeMb) => `${sizeMb} MB`)
  printTable(
    'mesh: memory of the process and time, by the size of the file',
    ['what', ...sizes, 'target', ''],
    rows,
  )
  note('A check of edges stores the number of each corner (4 bytes) and the edges between the corners.')
}

async function carryOut({ by, on }: Work, path: string): Promise<MeshResult> {
  // Files with triangles in random order are read once, because one of the programs needs 15 s for that.
  const runs = on === 'scrambled' ? 1 : RUNS_PER_ROUND
  return typeof by === 'string' ? runInChild(by, path, runs) : runToolAsTask(by, path, runs)
}

async function runInChild(task: MeshTask, path: string, runs: number): Promise<MeshResult> {
  const file = fileURLToPath(new URL('./mesh.child.ts', import.meta.url))
  const child = fork(file, [task, path, String(runs)], { serialization: 'advanced' })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${task} ended with ${code}`)
  })
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [MeshResult]
  ended.catch(() => undefined)
  return result
}

function runToolAsTask(tool: MeshTool, path: string, runs: number): MeshResult {
  const runsMs = Array.from({ length: runs }, () => runTool(tool, path) ?? Number.NaN)
  return { runsMs, peakMb: Number.NaN, fact: Number.NaN }
}

function assertSameVolume(results: ReadonlyMap<string, MeshResult[]>): void {
  const [one, other] = [STREAMED, METER].map(({ name }) => results.get(name)![0]!.fact)
  if (Math.abs(one! - other!) > 1e-6 * other!) throw new Error(`the volumes differ: ${one} and ${other}`)
}
