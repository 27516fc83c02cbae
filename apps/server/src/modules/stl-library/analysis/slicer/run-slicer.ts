import { spawn } from 'node:child_process'
import { constants, copyFile, lstat, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../platform/clock.ts'
import { trace } from '../../../../platform/tracing/tracing.ts'
import { SlicerError } from './slicer-error.ts'
import { readFigures, type SlicerFigures } from './slicer-estimate.ts'

export interface SlicerLimits {
  deadlineMs: number
  /** Maximum total size, in bytes, of all files that the slicer writes. It is checked once a second. */
  maxOutputBytes: number
  /** Maximum memory of the slicer in bytes, for systems that can limit it. */
  maxMemoryBytes?: number
}

export const SLICER_LIMITS: SlicerLimits = {
  deadlineMs: 3 * MINUTE_MS,
  maxOutputBytes: 2 * 1024 ** 3,
  maxMemoryBytes: 4 * 1024 ** 3,
}

const FOLDER_PREFIX = 'pegasus-slice-'
/** No run of the slicer takes this long. So an older folder was left behind by a server that was killed. */
const FORGOTTEN_MS = HOUR_MS

/** The program that starts the slicer and ends it when the server ends. */
const PARENT = fileURLToPath(new URL('./slicer-parent.ts', import.meta.url))
/** The `PATH` of the slicer. If the slicer is a script, its interpreter is found here. */
const PROGRAM_FOLDERS = '/usr/local/bin:/usr/bin:/bin'
/** The exit code with which a shell reports a missing program. */
const NOT_STARTED = 127
/** Maximum number of characters of the slicer's error output that go to the log. */
const MAX_COMPLAINT = 2_000

/** A model file on the local disk. */
interface ModelToSlice {
  path: string
  format: 'stl' | '3mf' | 'obj'
}

/** The settings as lines of an ini file, and the number of copies of the model on the plate. */
interface SlicingOrder {
  settings: string
  copies: number
}

/**
 * Slices a model with the slicer's own settings and returns the figures from its G-code. Throws the same
 * errors as `sliceModel`.
 */
export const runSlicer = (
  program: string,
  model: ModelToSlice,
  options: { signal: AbortSignal; limits: SlicerLimits },
): Promise<SlicerFigures> => sliceModel(program, model, { order: null, ...options }, readFigures)

/**
 * Slices a model with a PrusaSlicer-compatible program, and passes the path of the G-code to `use`. The
 * program never sees a name that a user has typed: it gets paths in a private folder, which is removed
 * afterwards. The program and its children are killed at the deadline, when the output is too large, when the
 * signal aborts, and when this process is killed. Throws SlicerError, the signal's reason, or the error that
 * `use` throws.
 */
export async function sliceModel<T>(
  program: string,
  model: ModelToSlice,
  { order, ...options }: { order: SlicingOrder | null; signal: AbortSignal; limits: SlicerLimits },
  use: (output: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX))
  try {
    const input = join(folder, `model.${model.format}`)
    const output = join(folder, 'sliced.gcode')
    // Use a copy, because a slicer that writes to its input must not change the library.
    await copyFile(model.path, input, constants.COPYFILE_FICLONE)
    const args = [...(await argumentsOf(order, folder)), '--export-gcode', '--output', output, input]
    await trace({ name: 'slicer' }, () => runToEnd(program, args, { folder, ...options }))
    return await use(output)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function argumentsOf(order: SlicingOrder | null, folder: string): Promise<string[]> {
  if (order === null) return []
  const settings = join(folder, 'settings.ini')
  await writeFile(settings, order.settings)
  return ['--load', settings, ...(order.copies > 1 ? ['--duplicate', String(order.copies)] : [])]
}

/**
 * Removes the folders of slicers whose server was killed while they ran. Such folders may contain gigabytes.
 * Returns the number of removed folders.
 */
export async function removeForgottenFolders(): Promise<number> {
  let count = 0
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const path = join(tmpdir(), name)
    // `lstat` checks a link itself, not its target.
    const found = await lstat(path).catch(() => null)
    if (!found?.isDirectory() || Date.now() - found.mtimeMs < FORGOTTEN_MS) continue
    // The folder of another user cannot be removed, so it stays.
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
  // Run the program in its own process group, so that its children are killed with it. Our environment contains
  // secrets, so pass only the search path and a locale with decimal points.
  const memory = String(limits.maxMemoryBytes ?? 0)
  const child = spawn(process.execPath, [PARENT, memory, program, ...args], {
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
    reject(new SlicerError(`It could not be started: ${cause.message}`, { cause, kind: 'missing' })),
  )
  child.once('exit', resolve)

  const stop = (reason: unknown) => {
    reject(reason)
    endGroup(child.pid)
  }
  const onAbort = () => stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const deadline = setTimeout(
    () => stop(new SlicerError(`It took longer than ${limits.deadlineMs / SECOND_MS} s.`, { kind: 'time' })),
    limits.deadlineMs,
  )
  const watch = setInterval(() => {
    void sizeOf(folder).then((size) => {
      if (size > limits.maxOutputBytes) stop(new SlicerError('It wrote too much.', { kind: 'size' }))
    })
  }, SECOND_MS)
  try {
    const code = await ended
    if (code !== 0) throw endedBadly(code, complaint.trim())
  } finally {
    clearTimeout(deadline)
    clearInterval(watch)
    signal.removeEventListener('abort', onAbort)
    // Also kill the child processes that the slicer has left running.
    endGroup(child.pid)
    child.stdin.destroy()
    child.stderr.destroy()
  }
}

const OUT_OF_MEMORY = /bad_alloc|out of memory|cannot allocate memory|memory exhausted/i

function endedBadly(code: number | null, complaint: string): SlicerError {
  const kind = OUT_OF_MEMORY.test(complaint) ? 'memory' : code === NOT_STARTED ? 'missing' : 'failed'
  return new SlicerError(`It ended with ${code ?? 'a signal'}: ${complaint}`, { kind, complaint })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * Returns the total size of the files in a folder, in bytes. Files that vanish in the meantime count as zero.
 */
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
