import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupRun, BackupStatus } from '@pegasus/contracts/backups'
import { expect, it } from 'vitest'
import { findDamage } from './check-kept-data.ts'
import {
  bearer,
  canSignIn,
  makeDataFolder,
  type ProductProcess,
  signIn,
  startProduct,
  until,
} from './product-process.ts'
import { aModel, countOf, nothingYet, postJson, sha256Of, startWriteLoad, uploadModel } from './write-load.ts'

/** Number of times that each volume gets full. */
const ROUNDS = 10
const PATIENCE_MS = 120_000
const MAX_HEALING_MS = 30_000
const BLOCK = Buffer.alloc(64 * 1024)

/**
 * Mounts a volume of 512 MB for the data, of 64 MB for the objects and of 64 MB for the backups, and runs a command.
 */
const MOUNT = `mount -t tmpfs -o size=512m,mode=755 data "$0" && mkdir "$0/objects" "$0/backups" &&
mount -t tmpfs -o size=64m,mode=700 objects "$0/objects" && mount -t tmpfs -o size=64m,mode=700 backups "$0/backups" && exec "$@"`

/** Returns the words of a command that gives the command after them these volumes, which no other process sees. */
const withVolumes = (dataDir: string): string[] => [
  'unshare',
  '--mount',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user', '--keep-caps']),
  'sh',
  '-c',
  MOUNT,
  dataDir,
]

/** Fills the volume of a folder with a file. Returns a function that removes the file. */
async function fill({ pid, dataDir }: ProductProcess, folder: string): Promise<() => Promise<void>> {
  const path = join(`/proc/${pid}/root`, dataDir, folder, 'filler')
  const file = await open(path, 'w')
  try {
    // Small blocks then fill the last free pages.
    for (const block of [BLOCK, BLOCK.subarray(0, 4096)])
      for (let isFull = false; !isFull; )
        await file.write(block).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOSPC') throw error
          isFull = true
        })
  } finally {
    await file.close()
  }
  return () => rm(path)
}

it(`T103 the server recovers from ${2 * ROUNDS} full disks without a restart and without losing confirmed data`, async () => {
  const dataDir = await makeDataFolder()
  await mkdir(dataDir)
  const product = await startProduct(dataDir, {}, undefined, withVolumes(dataDir))
  const { url } = product
  const { access_token: token } = await signIn(url)
  const acknowledged = nothingYet()
  const statuses = new Map<string, number>()
  const note = (name: string) => statuses.set(name, (statuses.get(name) ?? 0) + 1)
  let slowestMs = 0
  const first = aModel()
  const { id } = (await (await uploadModel(url, token, first)).json()) as { id: string }
  const heal = async () => {
    const since = performance.now()
    const works = async () =>
      (await canSignIn(url)) && (await uploadModel(url, token, aModel()).catch(() => null))?.status === 201
    expect(await until(works, PATIENCE_MS)).toBe(true)
    slowestMs = Math.max(slowestMs, performance.now() - since)
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    // The files: only writing them fails.
    let free = await fill(product, 'objects')
    for (let upload = 0; upload < 5; upload += 1)
      note(`files full, upload ${(await uploadModel(url, token, aModel())).status}`)
    const read = await fetch(`${url}/api/stl-files/${id}/file`, { headers: bearer(token) })
    const isWhole = sha256Of(Buffer.from(await read.arrayBuffer())) === sha256Of(first)
    note(`files full, read ${isWhole ? read.status : 'other bytes'}`)
    note(`files full, sign-in ${await canSignIn(url)}`)
    await free()
    await heal()

    // The database: writes fail once its files and its log cannot grow.
    const load = startWriteLoad(url, token, acknowledged, { keepsGoing: true, maxUploads: 20 })
    await load.untilAcknowledged(5)
    free = await fill(product, '')
    expect(await until(async () => load.refusals.has(503), PATIENCE_MS)).toBe(true)
    note(`database full, read ${(await fetch(`${url}/api/stl-files`, { headers: bearer(token) })).status}`)
    await free()
    await heal()
    await load.stop()
    for (const status of load.refusals.keys()) note(`database full, write ${status}`)
  }

  const freeBackups = await fill(product, 'backups')
  const backUp = async (): Promise<BackupRun> => {
    await postJson(`${url}/api/backups`, bearer((await signIn(url)).access_token))
    let run: BackupRun | undefined
    const isOver = async () => {
      const { runs } = (await (
        await fetch(`${url}/api/backups`, { headers: bearer(token) })
      ).json()) as BackupStatus
      run = runs[0]
      return run !== undefined && run.state !== 'running'
    }
    expect(await until(isOver, PATIENCE_MS)).toBe(true)
    return run!
  }
  const failed = await backUp()
  await freeBackups()
  const done = await backUp()

  const own = (await signIn(url)).access_token
  const damage = await findDamage(url, own, acknowledged, new Set())
  const seen = Object.fromEntries(statuses)
  console.info(
    `T103 lost ${damage.lost.length} of ${countOf(acknowledged)}, half ${damage.halves.length}, in ${2 * ROUNDS} times with a full disk, works again after ${(slowestMs / 1000).toFixed(1)} s`,
    seen,
  )
  expect(damage).toEqual({ lost: [], halves: [] })
  expect([failed.state, failed.failure, done.state]).toEqual([
    'failed',
    `There is no space left in ${join(dataDir, 'backups')}.`,
    'done',
  ])
  expect(product.child.exitCode).toBeNull()
  expect(seen).toMatchObject({
    'files full, upload 507': 5 * ROUNDS,
    'files full, read 200': ROUNDS,
    'files full, sign-in true': ROUNDS,
  })
  const allowed = /^files full|^database full, (?:read (?:200|503)|write (?:503|507))$/
  expect(Object.keys(seen).filter((name) => !allowed.test(name))).toEqual([])
  expect(slowestMs).toBeLessThan(MAX_HEALING_MS)
})
