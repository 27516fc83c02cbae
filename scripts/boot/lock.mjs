import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from './project.mjs'

// A lock file names its owner, and the npm process that the owner has started. npm continues when its parent is killed
// with -9, and two npm processes in one folder destroy each other's work. A process is named by its id and its start
// time, because the system reuses ids.

/**
 * Runs `work` while no other process has the lock of the same file. Waits for the lock if necessary.
 * @template T
 * @param {string} file
 * @param {string} purpose what a second process says it is waiting for
 * @param {(addKeeper: (pid: number) => void) => Promise<T>} work
 */
export async function withLock(file, purpose, work) {
  mkdirSync(dirname(file), { recursive: true })
  await acquire(file, purpose)
  /**
   * Adds a process that keeps the lock, even if this process ends first.
   * @param {number} pid
   */
  const addKeeper = (pid) => replaceFile(file, nameOf(process.pid) + nameOf(pid))
  try {
    return await work(addKeeper)
  } finally {
    rmSync(file, { force: true })
  }
}

/**
 * Waits until this process has the lock.
 * @param {string} file
 * @param {string} purpose
 */
async function acquire(file, purpose) {
  let hasSaid = false
  while (!tryAcquire(file)) {
    if (isStale(readLock(file))) {
      removeStale(file)
      continue
    }
    if (!hasSaid) say(`waiting for another process to finish ${purpose}`)
    hasSaid = true
    await sleep(100)
  }
}

/**
 * Tries to create the lock file. A link appears with all its contents or not at all, so nobody reads an incomplete
 * lock.
 * @param {string} file
 */
function tryAcquire(file) {
  const own = `${file}.${process.pid}`
  writeFileSync(own, nameOf(process.pid))
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * Removes the lock of an owner that has ended. Another process may have done so first, and taken the lock. In that case
 * the renamed file is not stale, and is put back.
 * @param {string} file
 */
function removeStale(file) {
  const aside = `${file}.${process.pid}.stale`
  try {
    renameSync(file, aside)
    if (!isStale(readLock(aside))) linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(errorCode(error))) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/**
 * Returns whether all processes that a lock names have ended. An empty lock has just been released, and is not stale.
 * @param {string} contents
 */
export function isStale(contents) {
  const names = contents.split('\n').filter(Boolean)
  return names.length > 0 && names.every((name) => nameOf(Number.parseInt(name, 10)).trim() !== name)
}

/**
 * Returns the contents of a lock, or an empty string if there is no lock.
 * @param {string} file
 */
function readLock(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}

/**
 * Returns `pid starttime` and a line end. Returns an empty string if the process does not exist.
 * @param {number} pid
 */
export function nameOf(pid) {
  const startedAt = startTime(pid)
  return startedAt === null ? '' : `${pid} ${startedAt}\n`
}

/**
 * Returns when the process started, as a text, or null if it does not exist.
 * @param {number} pid
 */
function startTime(pid) {
  try {
    if (process.platform === 'linux') return linuxStartTime(pid)
    if (process.platform !== 'win32')
      return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' }).trim()
    process.kill(pid, 0)
    return 'running'
  } catch {
    // All calls above fail if the process does not exist.
    return null
  }
}

/**
 * Returns field 22 of the process's stat file, the start time. Fields are counted from the end of the program's name,
 * because the name may contain spaces. A zombie counts as ended.
 * @param {number} pid
 */
function linuxStartTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? null : (fields[19] ?? null)
}

/**
 * Replaces the contents of a file in one step.
 * @param {string} file
 * @param {string} contents
 */
function replaceFile(file, contents) {
  const next = `${file}.${process.pid}`
  writeFileSync(next, contents)
  renameSync(next, file)
}

/** @param {unknown} error */
const errorCode = (error) => String(Object(error).code)
