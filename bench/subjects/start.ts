import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { interleave, median, medianRatio } from '../lib/figures.ts'
import { useLibrary } from '../lib/library.ts'
import { type Memory, memoryOf, postgresPssMb } from '../lib/memory.ts'
import type { Scratch } from '../lib/scratch.ts'
import {
  type ServerProcess,
  answers,
  findFreePort,
  startBareServer,
  startProductProcess,
  stopProcess,
} from '../lib/server-process.ts'
import { IS_FULL, IS_TRIAL } from '../lib/settings.ts'
import { figure, note, printTable, times, verdict } from '../lib/table.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PASSES = IS_TRIAL ? 1 : IS_FULL ? 9 : 4
const NPM_PASSES = 3
const IDLE_MS = 3000
const NPM_START_MS = 120_000

/** Measures the time of a start with existing data, and the memory of idle processes. */
export async function measureStart(scratch: Scratch): Promise<void> {
  const { databaseUrl } = await useLibrary(scratch)
  const embedded = () => startProductProcess(scratch, `${scratch.folder}/start`)
  const onDatabase = () =>
    startProductProcess(scratch, `${scratch.folder}/product`, { DATABASE_URL: databaseUrl })
  const bare = () => startBareServer(scratch, 'floor', { DATABASE_URL: databaseUrl })
  // The first start creates the database and is not measured.
  await (await embedded()).stop()
  const results = await interleave(
    [
      { name: 'embedded', run: () => timeStart(embedded) },
      { name: 'database', run: () => timeStart(onDatabase) },
      { name: 'bare', run: () => timeStart(bare) },
    ],
    PASSES,
  )
  const npmStarts = await timeNpmStarts(scratch, `${scratch.folder}/start`)
  const bareMs = results.get('bare')!
  const row = (name: string, values: readonly number[], targetMs?: number) => {
    const judgement =
      targetMs === undefined ? [] : [`≤ ${figure(targetMs)}`, verdict(median(values) <= targetMs)]
    return [name, figure(median(values)), times(medianRatio(values, bareMs)), ...judgement]
  }
  printTable(
    'start: from the start of the process to the first answer, data initialised, milliseconds',
    ['what', 'ms', 'against bare Fastify', 'target', ''],
    [
      row('server process, starting its own PostgreSQL', results.get('embedded')!, 1000),
      row('server process, PostgreSQL running', results.get('database')!),
      row('bare Fastify with the driver, PostgreSQL running', bareMs),
      ...(npmStarts ? [row('`npm start`, a later start', npmStarts, 1500)] : []),
    ],
  )
  if (!npmStarts) note('`npm start` did not start here, so it is not measured.')
  await measureIdle(embedded, bare)
}

async function timeStart(start: () => Promise<ServerProcess>): Promise<number> {
  const server = await start()
  await server.stop()
  return server.startMs
}

/**
 * Measures `npm start` as a person sees it: npm, the checks of the checkout and the web build, and the server. Returns
 * the durations in milliseconds, or null if the server does not start.
 */
async function timeNpmStarts(scratch: Scratch, dataDir: string): Promise<number[] | null> {
  // Do not count the first run, because it may build the web app.
  const durations: number[] = []
  for (let pass = 0; pass <= NPM_PASSES; pass += 1) {
    const duration = await timeNpmStart(scratch, dataDir)
    if (duration === null) return null
    durations.push(duration)
  }
  return durations.slice(1)
}

async function timeNpmStart(scratch: Scratch, dataDir: string): Promise<number | null> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    stdio: 'ignore',
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
  })
  scratch.onEnd(() => stopProcess(child))
  let duration: number | null = null
  while (duration === null && child.exitCode === null && performance.now() - startedAt < NPM_START_MS) {
    if (await answers(port)) duration = performance.now() - startedAt
    else await wait(5)
  }
  await stopProcess(child)
  // npm ends before the server has closed its database. Wait, so that this does not delay the next start.
  for (let tries = 0; tries < 100 && (await answers(port)); tries += 1) await wait(50)
  return duration
}

async function measureIdle(
  startProduct: () => Promise<ServerProcess>,
  startBare: () => Promise<ServerProcess>,
): Promise<void> {
  const product = await startProduct()
  const bare = await startBare()
  await wait(IDLE_MS)
  const [ours, baseline] = [await memoryOf(product.pid), await memoryOf(bare.pid)]
  const database = await postgresPssMb(product.pid)
  await product.stop()
  await bare.stop()
  if (!ours || !baseline)
    return note('This system does not report the memory of a process, so memory is not measured.')
  const row = (name: string, { rssMb, pssMb }: Memory, ...rest: string[]) => [
    name,
    figure(rssMb),
    figure(pssMb),
    times(rssMb / baseline.rssMb),
    ...rest,
  ]
  printTable(
    'start: memory three seconds after the start, MB',
    ['what', 'RSS', 'PSS', 'against bare Fastify', 'target for RSS', ''],
    [
      row('server process', ours, '≤ 200', verdict(ours.rssMb <= 200)),
      row('bare Fastify with the driver', baseline),
      ['its PostgreSQL, all processes', '–', figure(database), '', ''],
    ],
  )
}
