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
  /** Limit for everything the slicer writes; checked once a second. */
  maxOutputBytes: number
}

export const SLICER_LIMITS: SlicerLimits = { deadlineMs: 3 * MINUTE_MS, maxOutputBytes: 2 * 1024 ** 3 }

const FOLDER_PREFIX = 'pegasus-slice-'
/** Longer than any slicer may run. */
const FORGOTTEN_MS = HOUR_MS

/** Ensures that no slicer outlives the server. */
const PARENT = fileURLToPath(new URL('./slicer-parent.ts', import.meta.url))
/** Lets a slicer that is a script find its interpreter. */
const PROGRAM_FOLDERS = '/usr/local/bin:/usr/bin:/bin'
/** Number of characters of its error output that go to the log. */
const MAX_COMPLAINT = 2_000

/**
 * Slices a model with a PrusaSlicer-compatible program and reads the figures from its G-code. It uses no shell and no
 * user-supplied names: the program gets paths in a private folder, which is removed afterwards. The program and its
 * children are killed at the deadline, when the output is too large, when the signal aborts, and when this process is
 * killed. Throws SlicerError or the signal's reason.
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
    // A copy: a slicer that writes to its input must not change the library.
    await copyFile(model.path, input, constants.COPYFILE_FICLONE)
    await runToEnd(program, ['--export-gcode', '--output', output, input], { folder, ...options })
    return await readFigures(output)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes folders of slicers whose server was killed while they ran; they may hold gigabytes. Returns how many. */
export async function removeForgottenFolders(): Promise<number> {
  let count = 0
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const path = join(tmpdir(), name)
    // Use the change time, which programs cannot set, and for a link the link itself, not its target.
    const found = await lstat(path).catch(() => null)
    if (!found?.isDirectory() || Date.now() - found.mtimeMs < FORGOTTEN_MS) continue
    // A folder of another user stays.
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
  // A process group of its own, so that its children are killed with it. It gets only the path to programs and a locale
  // with decimal points, because our environment holds secrets.
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
    // Kill children it left running, too.
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

/** Bytes of all files in a folder; files that vanish meanwhile count as zero. */
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
