import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { interleave, median, medianRatio } from '../lib/figures.ts'
import { ADMESH, F3D, type MeshTool, runTool } from '../lib/mesh-tools.ts'
import { triangleCountFor, writeModelFile } from '../lib/model-file.ts'
import type { Scratch } from '../lib/scratch.ts'
import { IS_FULL } from '../lib/settings.ts'
import { figure, note, printTable, times, verdict } from '../lib/table.ts'
import type { MeshResult, MeshTask } from './mesh.child.ts'

const SIZE_BYTES = 100_000_000
const ROUNDS = IS_FULL ? 5 : 2
const RUNS_PER_ROUND = 2

const TASKS: readonly { task: MeshTask; name: string }[] = [
  { task: 'streamed', name: 'a bare streamed pass: box, volume, area' },
  { task: 'meter', name: 'ours, streamed: box, volume, area' },
  { task: 'inspect', name: 'ours, streamed: the check of structure during the upload' },
  { task: 'parse', name: 'ours: read and parsed' },
  { task: 'three', name: 'three.js STLLoader: read and parsed' },
  { task: 'check', name: 'ours: read, edges checked' },
  { task: 'picture', name: 'ours: read, a picture of 480 px' },
]
const TOOLS: readonly MeshTool[] = [ADMESH, F3D]

/** What is compared with what, and how much of it ours may take. */
const COMPARISONS: readonly { ours: MeshTask; baseline: MeshTask | MeshTool; aim: number }[] = [
  { ours: 'meter', baseline: 'streamed', aim: 1.5 },
  { ours: 'check', baseline: ADMESH, aim: 1 },
  { ours: 'picture', baseline: F3D, aim: 1 },
]

const nameOf = (who: MeshTask | MeshTool): string =>
  typeof who === 'string' ? TASKS.find(({ task }) => task === who)!.name : who.name

/** What reading, measuring, checking and drawing one large model costs, in time and memory. */
export async function measureMeshes(scratch: Scratch): Promise<void> {
  const path = `${scratch.folder}/model.stl`
  await writeModelFile(path, SIZE_BYTES)
  const tools = TOOLS.filter((tool) => runTool(tool, path) !== null)
  const results = await interleave<MeshResult>(
    [
      ...TASKS.map(({ task, name }) => ({ name, run: () => runInChild(task, path) })),
      ...tools.map((tool) => ({ name: tool.name, run: () => runToolAsTask(tool, path) })),
    ],
    ROUNDS,
    { warmUp: false },
  )
  assertSameVolume(results)
  const byName = new Map(
    [...results].map(([name, rounds]) => [name, rounds.map(({ runsMs }) => median(runsMs))]),
  )
  printAll(results, byName)
  printComparisons(byName)
  for (const { name } of TOOLS.filter((tool) => !tools.includes(tool)))
    note(`Not compared, since it is not there or does not run here: ${name}.`)
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
    const theirs = byName.get(nameOf(baseline))
    if (!theirs) return []
    const ratio = medianRatio(byName.get(nameOf(ours))!, theirs)
    return [[nameOf(ours), nameOf(baseline), times(ratio), `≤ ${times(aim)}`, verdict(ratio <= aim)]]
  })
  printTable('mesh: against others, round by round', ['what', 'baseline', 'ratio', 'aim', ''], rows)
}

async function runInChild(task: MeshTask, path: string): Promise<MeshResult> {
  const file = fileURLToPath(new URL('./mesh.child.ts', import.meta.url))
  const child = fork(file, [task, path, String(RUNS_PER_ROUND)], { serialization: 'advanced' })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${task} ended with ${code}`)
  })
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [MeshResult]
  ended.catch(() => undefined)
  return result
}

function runToolAsTask(tool: MeshTool, path: string): MeshResult {
  const runsMs = Array.from({ length: RUNS_PER_ROUND }, () => runTool(tool, path) ?? Number.NaN)
  return { runsMs, peakMb: Number.NaN, fact: Number.NaN }
}

function assertSameVolume(results: ReadonlyMap<string, MeshResult[]>): void {
  const [one, other] = (['streamed', 'meter'] as const).map((task) => results.get(nameOf(task))![0]!.fact)
  if (Math.abs(one! - other!) > 1e-6 * other!) throw new Error(`the volumes differ: ${one} and ${other}`)
}
