import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { offsetOf, tusCalls } from '../../../../test/storage/resumable-upload.ts'
import { aStorageClient } from '../../../../test/storage/storage-client.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { DAY_MS } from '../../../platform/clock.ts'

const UPSERT = { 'x-upsert': 'true' }
const LENGTH = 1000

async function anUpload(place: Record<string, string> = {}) {
  const app = await buildTestApp()
  const { client } = await aStorageClient(app, 'admin')
  await client.createBucket('files')
  const staff = await app.as('staff')
  const calls = tusCalls(app, staff)
  const values = { bucketName: 'files', objectName: 'a.bin', ...place }
  const url = String((await calls.create(LENGTH, values, UPSERT)).headers.location)
  return { app, client, bucket: client.from('files'), staff, calls, url, bytes: randomBytes(LENGTH) }
}

/**
 * Makes the last step of an upload fail after all its bytes have arrived. Returns a function that removes the
 * fault.
 */
async function failEnds({ database: { sql } }: TestApp): Promise<() => Promise<void>> {
  await sql`alter table resumable_uploads add constraint unfinished check (finished_at is null)`
  return async () => void (await sql`alter table resumable_uploads drop constraint unfinished`)
}

const countStored = async (app: TestApp): Promise<number> =>
  (await entriesOf(app)).filter(({ action }) => action === 'media.stored').length

describe('the end of a resumable upload', () => {
  it('a resumable upload that cannot be marked as finished stores nothing until the last byte is sent again', async () => {
    const { app, calls, url, bytes } = await anUpload()
    const mend = await failEnds(app)
    expect((await calls.write(url, 0, bytes)).statusCode).toBe(500)
    expect(await app.database.sql`select name from objects`).toEqual([])
    expect(await offsetOf(calls, url)).toBe(LENGTH - 1)
    await mend()
    expect((await calls.write(url, LENGTH - 1, bytes.subarray(-1))).statusCode).toBe(204)
    expect(await app.database.sql`select name from objects`).toEqual([{ name: 'a.bin' }])
  })

  it('a resumable upload whose last byte is sent again does not replace a newer file', async () => {
    const { app, bucket, staff, calls, url, bytes } = await anUpload()
    const remove = app.storage.delete
    let isReplaced = false
    // The first response is lost after the object was stored, and somebody replaces the object in the
    // meantime.
    app.storage.delete = async (key) => {
      if (!key.startsWith('resumable/')) return remove(key)
      expect((await bucket.upload('a.bin', 'newer', { upsert: true })).error).toBeNull()
      isReplaced = true
      throw new Error('The connection to the store broke off.')
    }
    expect((await calls.write(url, 0, bytes)).statusCode).toBe(204)
    app.storage.delete = remove
    expect(isReplaced).toBe(true)
    const replica = tusCalls(await app.replica(), staff)
    for (const again of [calls, replica])
      expect((await again.write(url, LENGTH - 1, bytes.subarray(-1))).statusCode).toBe(204)
    expect(await (await bucket.download('a.bin')).data?.text()).toBe('newer')
    expect(await countStored(app)).toBe(2)
  })

  it('a resumable upload whose last byte reaches two replicas at the same time stores the object once', async () => {
    const { app, bucket, staff, calls, url, bytes } = await anUpload()
    const replica = await app.replica()
    const there = tusCalls(replica, staff)
    const mend = await failEnds(app)
    expect((await calls.write(url, 0, bytes)).statusCode).toBe(500)
    await mend()
    const last = (from: typeof calls) => from.write(url, LENGTH - 1, bytes.subarray(-1))
    // The first replica finishes before the second one opens the chunk, so the second replica finds its chunk
    // removed.
    const { open } = app.storage
    let first: ReturnType<typeof last> | null = null
    app.storage.open = async (key, range) => {
      if (first === null && key.startsWith('resumable/')) {
        first = last(there)
        await first
      }
      return open(key, range)
    }
    const second = await last(calls)
    app.storage.open = open
    const statuses = [second.statusCode, (await (first ?? last(there))).statusCode]
    expect(statuses).toEqual([204, 204])
    expect(await countStored(app)).toBe(1)
    const { data } = await bucket.download('a.bin')
    expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true)
  })

  it('a resumable upload is kept if it continues while the cleanup is about to remove it', async () => {
    const { app, calls, url, bytes } = await anUpload()
    expect((await calls.write(url, 0, bytes.subarray(0, 400))).statusCode).toBe(204)
    app.clock.advance(DAY_MS)
    // A request that was admitted in time extends the upload while the sweep waits for the lock on its row.
    let sweeping: Promise<unknown> = Promise.resolve()
    await app.database.transaction(async (tx) => {
      await tx`update resumable_uploads set expires_at = expires_at + interval '1 day'`
      sweeping = app.cleanup.run()
      await expect
        .poll(async () => (await tx`select 1 from pg_locks where not granted`).length)
        .toBeGreaterThan(0)
    })
    await sweeping
    const rows = await app.database.sql`select received_bytes from resumable_uploads`
    expect(rows).toEqual([{ received_bytes: 400 }])
    expect(await app.database.sql`select size_bytes from resumable_chunks`).toEqual([{ size_bytes: 400 }])
  })
})
