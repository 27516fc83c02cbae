import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ClaimedJob, OpsClient } from './ops-client.ts'

/** The agent's current job. It is stored on disk, so that the agent continues it after a restart. */
export interface JobAtHand {
  job: ClaimedJob
  /** The name of the file on the printer. No other print has this name. */
  fileName: string
  /** True if the start may have been sent to the printer. */
  isStarted: boolean
  /** True if Pegasus Ops knows that the print has begun, so that the bed has to be cleared after it. */
  isReported: boolean
}

/** Creates a store for one job in a folder. Each change is written to a new file, which is then renamed. */
export function createJobStore(folder: string) {
  const path = join(folder, 'job.json')
  const leftPath = join(folder, 'left.txt')
  const filePath = ({ fileName }: JobAtHand): string => join(folder, fileName)
  return {
    filePath,
    async read(): Promise<JobAtHand | null> {
      await mkdir(folder, { recursive: true })
      const text = await readFile(path, 'utf8').catch(() => null)
      return text === null ? null : (JSON.parse(text) as JobAtHand)
    },
    async write(atHand: JobAtHand): Promise<void> {
      await writeFile(`${path}.new`, JSON.stringify(atHand), { flush: true })
      await rename(`${path}.new`, path)
    },
    async forget(atHand: JobAtHand): Promise<void> {
      await rm(path, { force: true })
      await rm(filePath(atHand), { force: true })
    },
    /**
     * Remembers the file of a print that runs although the job no longer belongs to the agent. Pegasus Ops does
     * not know when its bed is cleared.
     */
    writeLeft: (fileName: string): Promise<void> => writeFile(leftPath, fileName, { flush: true }),
    readLeft: (): Promise<string | null> => readFile(leftPath, 'utf8').catch(() => null),
    /** Downloads the file and compares it with the job's data about the file. Throws if they differ. */
    async download(atHand: JobAtHand, ops: OpsClient, signal: AbortSignal): Promise<void> {
      const { file } = atHand.job
      if (!file) throw new Error('The job has no file.')
      const response = await ops.file(file.path, signal)
      if (!response.body) throw new Error('The file is empty.')
      const hash = createHash('sha256')
      await pipeline(
        response.body,
        async function* check(source: AsyncIterable<Uint8Array>) {
          for await (const chunk of source) {
            hash.update(chunk)
            yield chunk
          }
        },
        createWriteStream(filePath(atHand), { flush: true }),
      )
      if (hash.digest('hex') !== file.sha256)
        throw new Error('The received file differs from the file that was sent.')
    },
  }
}

export type JobStore = ReturnType<typeof createJobStore>
