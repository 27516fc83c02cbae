import { utimesSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { ownIdentity } from '../../process-identity.ts'
import { StartupError } from '../../startup-error.ts'
import { lockDataFolder } from './data-folder-lock.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegasus-lock-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const path = () => join(folder, 'pegasus.lock')
const lock = (silenceMs?: number) => lockDataFolder(folder, silentLog, silenceMs)

describe('the lock of a data folder', () => {
  it('only one process at a time holds the lock of a data folder, until it releases the lock', async () => {
    const first = await lock()
    await expect(lock()).rejects.toThrow(StartupError)
    await first.release()
    expect(await readdir(folder)).toEqual([])
    await lock().then((second) => second.release())
  })

  it('only one of several concurrent callers gets the lock of a data folder', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lock()))
    const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    await winners[0]?.value.release()
  })

  it('only one of several callers takes over the data folder lock of a dead process', async () => {
    const own = await ownIdentity()
    await writeFile(path(), JSON.stringify({ ...own, startedAt: 'earlier' }))
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lock()))
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['pegasus.lock'])
  })

  it('the lock of a data folder can be taken over if its holder, in another container, sends no heartbeats', async () => {
    await writeFile(path(), JSON.stringify({ pid: 1, startedAt: '1', namespace: 'elsewhere' }))
    await lock(300).then((taken) => taken.release())
  })

  it('the lock of a data folder cannot be taken over if its holder, in another container, sends heartbeats', async () => {
    await writeFile(path(), JSON.stringify({ pid: 1, startedAt: '1', namespace: 'elsewhere' }))
    const beat = setInterval(() => utimesSync(path(), new Date(), new Date()), 50)
    await expect(lock(5_000)).rejects.toThrow('is in use by another Pegasus Ops process')
    clearInterval(beat)
  })

  it('a process whose data folder lock was taken over cannot release the lock of the new holder', async () => {
    const lost = await lock()
    await writeFile(path(), 'of somebody else')
    await lost.release()
    expect(await readdir(folder)).toEqual(['pegasus.lock'])
  })
})
