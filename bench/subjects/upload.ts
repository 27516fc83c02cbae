import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { interleave, median, medianRatio } from '../lib/figures.ts'
import { signIn, useLibrary } from '../lib/library.ts'
import { memoryOf, watchRss } from '../lib/memory.ts'
import type { Scratch } from '../lib/scratch.ts'
import { type ServerProcess, startBareServer, startProductProcess } from '../lib/server-process.ts'
import { IS_FULL, IS_TRIAL } from '../lib/settings.ts'
import { figure, note, percent, printTable, verdict } from '../lib/table.ts'
import type { Upload, UploadResult } from '../lib/upload.child.ts'

const SIZE_BYTES = IS_TRIAL ? 2 ** 22 : IS_FULL ? 2 ** 30 - 2 ** 20 : 2 ** 28
const PASSES = 3
const ANALYSIS_MS = 180_000
const MAX_GROWTH_MB = 100

interface Sent {
  mbPerSecond: number
  growthMb: number
}

/** Measures one large upload through the whole server, compared with the form parser, SHA-256 and the same disk. */
export async function measureUpload(scratch: Scratch): Promise<void> {
  const { databaseUrl } = await useLibrary(scratch)
  const folder = `${scratch.folder}/bare-upload`
  await mkdir(folder)
  const bare = await startBareServer(scratch, 'bare-upload', { FOLDER: folder })
  let mark = 0
  const sendToProduct = async (): Promise<Sent> => {
    // Start a new process for each upload. Otherwise its memory would include that of the previous model's analysis.
    const product = await startProductProcess(scratch, `${scratch.folder}/product`, {
      DATABASE_URL: databaseUrl,
    })
    const { accessToken } = await signIn(product.port)
    const headers = { authorization: `Bearer ${accessToken}` }
    mark += 1
    const { body, ...sent } = await send(product, { path: '/api/stl-files/upload', headers, mark })
    await untilAnalyzed(product.port, headers, (JSON.parse(body) as { id: string }).id)
    await product.stop()
    return sent
  }
  const results = await interleave<Sent>(
    [
      { name: 'ours', run: sendToProduct },
      { name: 'bare', run: () => send(bare, { path: '/upload', headers: {}, mark }) },
    ],
    PASSES,
    { warmUp: false },
  )
  await bare.stop()
  print(results.get('ours')!, results.get('bare')!)
}

function print(ours: readonly Sent[], bare: readonly Sent[]): void {
  const speeds = (all: readonly Sent[]) => all.map(({ mbPerSecond }) => mbPerSecond)
  const ratio = medianRatio(speeds(ours), speeds(bare))
  // Returns the largest memory growth of a process at its first upload.
  const growth = (all: readonly Sent[]) => Math.max(...all.map(({ growthMb }) => growthMb))
  const [speed, bareSpeed] = [figure(median(speeds(ours))), figure(median(speeds(bare)))]
  const [growthMb, bareGrowthMb] = [growth(ours), growth(bare)]
  const isFlat = verdict(growthMb <= MAX_GROWTH_MB)
  printTable(
    `upload: one model of ${Math.round(SIZE_BYTES / 2 ** 20)} MiB over HTTP`,
    ['what', 'ours', 'bare form, SHA-256, same disk', 'ratio', 'target', ''],
    [
      ['MB/s', speed, bareSpeed, percent(ratio), '≥ 80 %', verdict(ratio >= 0.8)],
      ['growth of the server, MB', figure(growthMb), figure(bareGrowthMb), '', `≤ ${MAX_GROWTH_MB}`, isFlat],
    ],
  )
  note('The product also checks the structure of the model and writes its rows. Both write the file durably.')
}

async function send(
  server: ServerProcess,
  upload: Pick<Upload, 'path' | 'headers' | 'mark'>,
): Promise<Sent & { body: string }> {
  const child = fork(fileURLToPath(new URL('../lib/upload.child.ts', import.meta.url)))
  const before = await memoryOf(server.pid)
  const watch = watchRss(server.pid)
  child.send({ ...upload, port: server.port, sizeBytes: SIZE_BYTES } satisfies Upload)
  const [result] = (await once(child, 'message')) as [UploadResult]
  const peakMb = await watch.stop()
  if (result.status !== 201) throw new Error(`the upload was answered with ${result.status}: ${result.body}`)
  return {
    mbPerSecond: result.sentBytes / 1e6 / result.seconds,
    growthMb: peakMb - (before?.rssMb ?? Number.NaN),
    body: result.body,
  }
}

/** Waits until the model is analyzed, because the analysis would slow the next measurement. */
async function untilAnalyzed(port: number, headers: Record<string, string>, id: string): Promise<void> {
  for (const until = Date.now() + ANALYSIS_MS; Date.now() < until; await wait(100)) {
    const response = await fetch(`http://127.0.0.1:${port}/api/stl-files/${id}`, { headers })
    const { analysis_status: status } = (await response.json()) as { analysis_status: string }
    if (status !== 'pending') return
  }
  throw new Error('the analysis did not end')
}
