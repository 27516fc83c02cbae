import { parentPort, workerData } from 'node:worker_threads'
import { fuzzModels } from './fuzz-models.ts'

const { runs, seed } = workerData as { runs: number; seed: number }
parentPort!.postMessage(await fuzzModels(runs, seed))
