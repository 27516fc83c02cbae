import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { interleave, median } from '../lib/figures.ts'
import { triangleCountFor, writeModelFile } from '../lib/model-file.ts'
import type { Scratch } from '../lib/scratch.ts'
import { IS_FULL } from '../lib/settings.ts'
import { figure, note, printTable, times, verdict } from '../lib/table.ts'
import type { MeshResult, MeshTask } from './mesh.child.ts'

const SIZE_BYTES = 100_000_000
const ROUNDS = IS_FULL ? 3 : 2
const RUNS_PER_ROUND = 2

const TASKS: readonly { task: MeshTask; name: string }[] = [
  { task: 'streamed', name: 'a bare streamed pass: box, volume, area' },
  { task: 'inspect', name: 'ours, streamed: the check of structure during the upload' },
  { task: 'parse', name: 'ours: read and parsed' },
  { task: 'measure', name: 'ours: read, parsed, measured, edges checked' },
  { task: 'edges', name: 'ours: the edge check alone' },
  { task: 'three', name: 'three.js STLLoader: read and parsed' },
  { task: 'render', name: 'ours: the picture of 480 px' },
]

/** What reading, measuring, checking and drawing one large model costs, in time and memory. */
export async function measureMeshes(scratch: Scratch): Promise<void> {
  const path = `${scratch.folder}/model.stl`
  await writeModelFile(path, SIZE_BYTES)
  const results = await interleave(
    TASKS.map(({ task, name }) => ({ name, run: () => runInChild(task, path) })),
    ROUNDS,
    { warmUp: false },
  )
  const of = (task: MeshTask) => results.get(TASKS.find((each) => each.task === task)!.name)!
  assertSameVolume(of('streamed'), of('measure'))
  const msOf = (task: MeshTask) => median(of(task).flatMap(({ runsMs }) => runsMs))
  const peakOf = (task: MeshTask) => median(of(task).map(({ peakMb }) => peakMb))
  const measuring = msOf('measure') - msOf('edges')
  const rows = TASKS.map(({ task, name }) => row(name, msOf(task), msOf('streamed'), peakOf(task)))
  rows.splice(5, 0, [
    ...row('ours: measured without the edge check (difference of the two)', measuring, msOf('streamed')),
    '≤ 1.50 ×',
    verdict(measuring <= 1.5 * msOf('streamed')),
  ])
  const triangles = triangleCountFor(SIZE_BYTES).toLocaleString('en-GB')
  printTable(
    `mesh: a binary STL of 100 MB (${triangles} triangles)`,
    ['what', 'ms', 'against the streamed pass', 'peak memory, MB', 'aim', ''],
    rows,
  )
  note('Each in a process of its own, after one run to warm up; the file is in the cache of the system.')
}

const row = (name: string, ms: number, baselineMs: number, peakMb = Number.NaN): string[] => [
  name,
  figure(ms),
  times(ms / baselineMs),
  figure(peakMb),
]

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

function assertSameVolume([streamed]: MeshResult[], [measured]: MeshResult[]): void {
  const [one, other] = [streamed!.fact, measured!.fact]
  if (Math.abs(one - other) > 1e-6 * other) throw new Error(`the volumes differ: ${one} and ${other}`)
}
