import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { interleave, median, medianRatio } from '../lib/figures.ts'
import { ADMESH, F3D, type MeshTool, runTool } from '../lib/mesh-tools.ts'
import { scrambleModelFile, triangleCountFor, writeModelFile } from '../lib/model-file.ts'
import type { Scratch } from '../lib/scratch.ts'
import { IS_FULL } from '../lib/settings.ts'
import { figure, note, printTable, times, verdict } from '../lib/table.ts'
import type { MeshResult, MeshTask } from './mesh.child.ts'

const SIZE_BYTES = 100_000_000
const ROUNDS = IS_FULL ? 5 : 2
const RUNS_PER_ROUND = 2
const TOOLS: readonly MeshTool[] = [ADMESH, F3D]

/** One piece of work, by us, a library or another program, on a file whose triangles follow each other or lie about. */
interface Work {
  name: string
  by: MeshTask | MeshTool
  isScrambled?: true
}

const STREAMED: Work = { by: 'streamed', name: 'a bare streamed pass: box, volume, area' }
const METER: Work = { by: 'meter', name: 'ours, streamed: box, volume, area' }
const CHECK: Work = { by: 'check', name: 'ours: read, edges checked' }
const CHECK_SCRAMBLED: Work = { by: 'check', name: 'ours: the same, scrambled', isScrambled: true }
const PICTURE: Work = { by: 'picture', name: 'ours: read, a picture of 480 px' }
const EDGES: Work = { by: ADMESH, name: ADMESH.name }
const EDGES_SCRAMBLED: Work = { by: ADMESH, name: 'admesh -e: the same, scrambled', isScrambled: true }
const F3D_PICTURE: Work = { by: F3D, name: F3D.name }

const WORKS: readonly Work[] = [
  STREAMED,
  METER,
  { by: 'inspect', name: 'ours, streamed: the check of structure during the upload' },
  { by: 'parse', name: 'ours: read and parsed' },
  { by: 'three', name: 'three.js STLLoader: read and parsed' },
  CHECK,
  EDGES,
  CHECK_SCRAMBLED,
  EDGES_SCRAMBLED,
  PICTURE,
  F3D_PICTURE,
]

/** What is compared with what, and how much of it ours may take. */
const COMPARISONS: readonly { ours: Work; baseline: Work; aim: number }[] = [
  { ours: METER, baseline: STREAMED, aim: 1.5 },
  { ours: CHECK, baseline: EDGES, aim: 1 },
  { ours: CHECK_SCRAMBLED, baseline: EDGES_SCRAMBLED, aim: 2 },
  { ours: PICTURE, baseline: F3D_PICTURE, aim: 1 },
]

/** What reading, measuring, checking and drawing one large model costs, in time and memory. */
export async function measureMeshes(scratch: Scratch): Promise<void> {
  const path = `${scratch.folder}/model.stl`
  const scrambledPath = `${scratch.folder}/scrambled.stl`
  await writeModelFile(path, SIZE_BYTES)
  await scrambleModelFile(path, scrambledPath)
  const missing = TOOLS.filter((tool) => runTool(tool, path) === null)
  const results = await interleave<MeshResult>(
    WORKS.filter(({ by }) => !missing.some((tool) => tool === by)).map((work) => ({
      name: work.name,
      run: () => carryOut(work, work.isScrambled ? scrambledPath : path),
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
  for (const { name } of missing) note(`Not compared, since it is not there or does not run here: ${name}.`)
}

type MillisecondsByName = ReadonlyMap<string, readonly number[]>

function printAll(results: ReadonlyMap<string, MeshResult[]>, byName: MillisecondsByName): void {
  const triangles = triangleCountFor(SIZE_BYTES).toLocaleString('en-GB')
  printTable(
    `mesh: a binary STL of 100 MB (${triangles} triangles)`,
    ['what', 'ms', 'peak memory, MB'],
    [...results].map(([name, rounds]) => [
      name,
      figure(median(byName.get(name)!)),
      figure(median(rounds.map(({ peakMb }) => peakMb))),
    ]),
  )
  note(
    'Each in a process of its own, ours after one run to warm up, a program with its start; the file is in the cache of the system.',
  )
}

function printComparisons(byName: MillisecondsByName): void {
  const rows = COMPARISONS.flatMap(({ ours, baseline, aim }) => {
    const theirs = byName.get(baseline.name)
    if (!theirs) return []
    const ratio = medianRatio(byName.get(ours.name)!, theirs)
    return [[ours.name, baseline.name, times(ratio), `≤ ${times(aim)}`, verdict(ratio <= aim)]]
  })
  printTable('mesh: against others, round by round', ['what', 'baseline', 'ratio', 'aim', ''], rows)
}

async function carryOut({ by, isScrambled }: Work, path: string): Promise<MeshResult> {
  // A program that is lost in a scrambled file takes a quarter of a minute for it.
  const runs = isScrambled ? 1 : RUNS_PER_ROUND
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
