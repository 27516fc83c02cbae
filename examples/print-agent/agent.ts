import { setInterval as every, setTimeout as wait } from 'node:timers/promises'
import { type JobAtHand, type JobStore, createJobStore } from './job-file.ts'
import { type ClaimedJob, type OpsClient, OpsRefusal, type Used, createOpsClient } from './ops-client.ts'
import { type LocalPrinter, type PrintStatus, createLocalPrinter } from './printers.ts'
import type { Settings } from './settings.ts'

export interface Agent {
  /** Takes one step: claim, start, follow or report. Returns whether the agent has a job afterwards. */
  step(): Promise<boolean>
}

const extensionOf = (name: string): string =>
  /\.(?:gcode\.3mf|bgcode|gcode|\w+)$/i.exec(name)?.[0] ?? '.gcode'

/** Returns a file name for the printer that no other claim has. It contains the job's code and the claim. */
const fileNameOf = ({ label_code: code, lease_id: lease, file }: ClaimedJob): string =>
  `${code.toLowerCase()}-${lease.slice(-12)}${extensionOf(file?.file_name ?? '')}`

/** Returns whether a file name on the printer comes from `fileNameOf`. */
const isOurs = (fileName: string): boolean => /-[0-9a-f]{12}\.[\w.]+$/.test(fileName)

const usedOf = ({ usedMm, minutes }: PrintStatus): Used => ({
  ...(usedMm !== null && { used_mm: usedMm }),
  ...(minutes !== null && { print_minutes: minutes }),
})

/**
 * Returns whether the job no longer belongs to this agent, because somebody has cancelled it or the agent was
 * silent for too long.
 */
const isGone = (error: unknown): error is OpsRefusal =>
  error instanceof OpsRefusal && (error.status === 403 || error.status === 404 || error.status === 409)

/** A claim ends after 60 seconds without a heartbeat. */
const HEARTBEAT_MS = 20_000

/**
 * Creates the agent of one printer. `step` throws if the printer or Pegasus Ops does not respond; the next
 * call then continues.
 */
export function createAgent(settings: Settings, say: (line: string) => void): Agent {
  const ops = createOpsClient(settings)
  const printer = createLocalPrinter(settings)
  const store = createJobStore(settings.folder)
  return {
    async step() {
      const atHand = await store.read()
      if (atHand) return followJob(atHand, { ops, printer, store, say })
      // A print that somebody started by hand must end first, and must be removed from the printer's screen.
      const left = await store.readLeft()
      if (!(await printer.isFree((name) => isOurs(name) && name !== left))) return false
      const job = await ops.claim()
      if (!job) return false
      say(`claimed ${job.label_code}`)
      await store.write({ job, fileName: fileNameOf(job), isStarted: false, isReported: false })
      return true
    },
  }
}

interface Parts {
  ops: OpsClient
  printer: LocalPrinter
  store: JobStore
  say: (line: string) => void
}

async function followJob(atHand: JobAtHand, parts: Parts): Promise<boolean> {
  const { ops, printer, store, say } = parts
  const { job, fileName } = atHand
  const status = await printer.look(fileName)
  try {
    switch (status.state) {
      case 'unknown':
        return await startJob(atHand, parts)
      case 'running':
        await ops.heartbeat(job.id, job.lease_id, status.progress)
        if (!atHand.isReported) await store.write({ ...atHand, isReported: true })
        return true
      case 'finished':
        await ops.complete(job.id, job.lease_id, usedOf(status))
        say(`${job.label_code} is printed`)
        break
      case 'failed': {
        const reason = status.reason ?? 'The print failed.'
        await ops.fail(job.id, job.lease_id, reason, { ...usedOf(status), isCleared: false })
        say(`${job.label_code} failed: ${reason}`)
        break
      }
    }
  } catch (error) {
    if (!isGone(error)) throw error
    const isCancelled = error.command === 'cancel'
    if (isCancelled) await printer.cancel(fileName)
    // Otherwise, the running print continues, and a person later decides about its pieces. The printer is not free until
    // the print is gone from its screen, unless Pegasus Ops asks a person to clear the bed.
    if (!isCancelled || !atHand.isReported) await store.writeLeft(fileName)
    say(`${job.label_code} is no longer assigned to this printer: ${error.message}`)
  }
  await store.forget(atHand)
  return false
}

/**
 * Starts a print that is not in the printer's records. If the start may have been sent before, it is not sent again.
 */
async function startJob(atHand: JobAtHand, { ops, printer, store, say }: Parts): Promise<boolean> {
  const { job, fileName } = atHand
  const giveUp = async (reason: string): Promise<boolean> => {
    await ops.fail(job.id, job.lease_id, reason, { isCleared: !atHand.isStarted })
    say(`${job.label_code} failed: ${reason}`)
    await store.forget(atHand)
    return false
  }
  const { file } = job
  if (!file) return giveUp('The job has no file to print.')
  if (atHand.isStarted) return giveUp('The printer lost the print. Look at the bed.')
  // Progress, even 0, says that the bed is in use.
  const beat = (progress?: number) => ops.heartbeat(job.id, job.lease_id, progress)
  await whileBeating(beat, async (signal) => {
    await store.download(atHand, ops, AbortSignal.any([signal, timeLimitOf(file)]))
    await printer.upload(fileName, store.filePath(atHand), AbortSignal.any([signal, timeLimitOf(file)]))
  })
  // The last moment at which nothing has been started. Another printer may have claimed the job in the meantime.
  await beat()
  await store.write({ ...atHand, isStarted: true })
  await printer.start(fileName, store.filePath(atHand), file)
  say(`started ${job.label_code}`)
  await beat(0)
  await store.write({ ...atHand, isStarted: true, isReported: true })
  return true
}

/** Limits the time to transfer a file: 30 seconds, and a second for each 20 kB. */
const timeLimitOf = ({ file_size: sizeBytes }: { file_size: number }): AbortSignal =>
  AbortSignal.timeout(30_000 + Math.ceil(sizeBytes / 20))

/**
 * Sends heartbeats while the work runs, which may take longer than a claim. If Pegasus Ops refuses one, aborts
 * the work and throws the refusal. A heartbeat without a response is sent again later.
 */
async function whileBeating(
  beat: () => Promise<unknown>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const aborter = new AbortController()
  const { signal } = aborter
  const beatOn = async (): Promise<void> => {
    await beat()
    for await (const _ of every(HEARTBEAT_MS, undefined, { signal }))
      await beat().catch((error: unknown) => {
        if (isGone(error)) throw error
      })
  }
  const beats = beatOn()
  const running = work(signal)
  try {
    await Promise.race([beats, running])
  } finally {
    aborter.abort()
    // The work must have ended before its file is removed.
    await Promise.allSettled([beats, running])
  }
}

/** Runs until the signal. After an error, prints it and tries again, because network errors are temporary. */
export async function runAgent(
  agent: Agent,
  { pauseMs, signal, say }: { pauseMs: number; signal: AbortSignal; say: (line: string) => void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await agent.step()
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    }
    await wait(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
