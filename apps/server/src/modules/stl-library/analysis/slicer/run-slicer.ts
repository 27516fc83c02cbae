import { spawn } from 'node:child_process'
import { constants, copyFile, lstat, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../platform/clock.ts'
import { SlicerError } from './slicer-error.ts'
import { readFigures, type SlicerFigures } from './slicer-estimate.ts'

export interface SlicerLimits {
  deadlineMs: number
  /** Of all that it writes; looked at once a second. */
  maxOutputBytes: number
}

export const SLICER_LIMITS: SlicerLimits = { deadlineMs: 3 * MINUTE_MS, maxOutputBytes: 2 * 1024 ** 3 }

const FOLDER_PREFIX = 'pegasus-slice-'
/** Longer than any slicer may work. */
const FORGOTTEN_MS = HOUR_MS

/** Sees to it that no slicer outlives the server. */
const PARENT = fileURLToPath(new URL('./slicer-parent.ts', import.meta.url))
/** Where a slicer that is a script finds its interpreter. */
const PROGRAM_FOLDERS = '/usr/local/bin:/usr/bin:/bin'
/** What is kept of its complaints, for the log. */
const MAX_COMPLAINT = 2_000

/**
 * Slices a model with a PrusaSlicer-compatible program and reads what the result says of itself. No shell and no name that
 * a person chose: the program gets paths of a folder of its own, which is removed afterwards. It and all it started are
 * ended at the deadline, when it writes too much, when the signal aborts, or when this process is killed. Throws SlicerError
 * or the signal's reason.
 */
export async function runSlicer(
  program: string,
  model: { path: string; format: 'stl' | '3mf' | 'obj' },
  options: { signal: AbortSignal; limits: SlicerLimits },
): Promise<SlicerFigures> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX))
  try {
    const input = join(folder, `model.${model.format}`)
    const output = join(folder, 'sliced.gcode')
    // A copy: a slicer that writes to what it should read does not reach the library.
    await copyFile(model.path, input, constants.COPYFILE_FICLONE)
    await runToEnd(program, ['--export-gcode', '--output', output, input], { folder, ...options })
    return await readFigures(output)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes folders of slicers whose server was killed while they worked; they may hold gigabytes. Answers how many. */
export async function removeForgottenFolders(): Promise<number> {
  let count = 0
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const path = join(tmpdir(), name)
    // Of files the machine's own time is known, and of a link what it is itself, not what it leads to.
    const found = await lstat(path).catch(() => null)
    if (!found?.isDirectory() || Date.now() - found.mtimeMs < FORGOTTEN_MS) continue
    // One that is somebody else's stays.
    const isGone = await rm(path, { recursive: true, force: true }).then(
      () => true,
      () => false,
    )
    if (isGone) count += 1
  }
  return count
}

async function runToEnd(
  program: string,
  args: readonly string[],
  { folder, signal, limits }: { folder: string; signal: AbortSignal; limits: SlicerLimits },
): Promise<void> {
  signal.throwIfAborted()
  // A group of its own, so that what it starts can be ended with it. Of our environment, with its secrets, it gets nothing
  // but where programs are; figures with a decimal point.
  const child = spawn(process.execPath, [PARENT, program, ...args], {
    cwd: folder,
    detached: true,
    env: { PATH: PROGRAM_FOLDERS, HOME: folder, TMPDIR: folder, LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('latin1')).slice(-MAX_COMPLAINT)
  })
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', (cause) =>
    reject(new SlicerError(`It could not be started: ${cause.message}`, { cause })),
  )
  child.once('exit', resolve)

  const stop = (reason: unknown) => {
    reject(reason)
    endGroup(child.pid)
  }
  const onAbort = () => stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const deadline = setTimeout(
    () => stop(new SlicerError(`It took longer than ${limits.deadlineMs / SECOND_MS} s.`)),
    limits.deadlineMs,
  )
  const watch = setInterval(() => {
    void sizeOf(folder).then((size) => {
      if (size > limits.maxOutputBytes) stop(new SlicerError('It wrote too much.'))
    })
  }, SECOND_MS)
  try {
    const code = await ended
    if (code !== 0) throw new SlicerError(`It ended with ${code ?? 'a signal'}: ${complaint.trim()}`)
  } finally {
    clearTimeout(deadline)
    clearInterval(watch)
    signal.removeEventListener('abort', onAbort)
    // What it left behind running, too.
    endGroup(child.pid)
    child.stdin.destroy()
    child.stderr.destroy()
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Bytes of all files in a folder; what vanishes meanwhile counts nothing. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
