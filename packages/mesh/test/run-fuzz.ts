import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FuzzReport } from './fuzz-models.ts'

const HEAP_MB = 256

/** Reads the damaged models in a worker thread with a limited heap, as the server does. Throws if the thread dies. */
export async function runFuzz(runs: number, seed: number): Promise<FuzzReport> {
  const worker = new Worker(new URL('./fuzz.worker.ts', import.meta.url), {
    workerData: { runs, seed },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  try {
    const [report] = (await once(worker, 'message')) as [FuzzReport]
    return report
  } finally {
    await worker.terminate()
  }
}
