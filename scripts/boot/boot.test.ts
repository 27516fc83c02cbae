import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectedStamp } from './dependencies.mjs'
import { isStale, nameOf, withLock } from './lock.mjs'

let folder: string
let lock: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegasus-lock-'))
  lock = join(folder, 'install.lock')
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

describe('the install lock', () => {
  it('the install lock admits one process at a time', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    const events: string[] = []
    const enter = (name: string) =>
      withLock(lock, 'a test', async () => {
        events.push(`${name} in`)
        await new Promise((resolve) => setTimeout(resolve, 20))
        events.push(`${name} out`)
      })
    await Promise.all([enter('a'), enter('b'), enter('c')])
    expect(events.map((event) => event.slice(2))).toEqual(['in', 'out', 'in', 'out', 'in', 'out'])
    expect(existsSync(lock)).toBe(false)
    expect(said).toHaveBeenCalledWith(expect.stringContaining('waiting for another process'))
  })

  it('the install lock is released when the work fails', async () => {
    await expect(withLock(lock, 'a test', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(existsSync(lock)).toBe(false)
  })

  it('the install lock is taken over from a process that was killed', async () => {
    const owner = aProcess()
    writeFileSync(lock, nameOf(owner.pid ?? 0))
    await end(owner)
    expect(await withLock(lock, 'a test', async () => 'in')).toBe('in')
  })

  it('the install lock is not valid if its process ID now belongs to another process', () => {
    expect(isStale(`${process.pid} 1\n`)).toBe(true)
    expect(isStale(nameOf(process.pid))).toBe(false)
  })

  it('the install lock of a killed process stays valid as long as the npm that it started still runs', async () => {
    const owner = aProcess()
    const npm = aProcess()
    const names = nameOf(owner.pid ?? 0) + nameOf(npm.pid ?? 0)
    await end(owner)
    expect(isStale(names)).toBe(false)
    await end(npm)
    expect(isStale(names)).toBe(true)
  })
})

describe('the stamp of the dependencies', () => {
  it('the stamp of the dependencies changes if the lock file or the platform changes', () => {
    const stamp = expectedStamp(Buffer.from('{}'), 'linux-x64')
    expect(expectedStamp(Buffer.from('{}'), 'linux-x64')).toBe(stamp)
    expect(expectedStamp(Buffer.from('{ }'), 'linux-x64')).not.toBe(stamp)
    expect(expectedStamp(Buffer.from('{}'), 'linux-arm64')).not.toBe(stamp)
  })
})

function aProcess(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  children.push(child)
  return child
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
