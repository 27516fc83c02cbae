import { expect, it } from 'vitest'
import { offsetOf, RESUMABLE, tusCalls } from '../../../../test/storage/resumable-upload.ts'
import { aStorageClient } from '../../../../test/storage/storage-client.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { SECOND_MS } from '../../../platform/clock.ts'

const VALUES = { bucketName: 'files', objectName: 'signed' }
const CHUNK = { 'content-type': 'application/offset+octet-stream' }

async function aSigner() {
  const app = await buildTestApp()
  const { client: admin } = await aStorageClient(app, 'admin')
  await admin.createBucket('files')
  const headers = await app.as('staff')
  const sign = async (): Promise<string> => {
    // Tokens that are signed within the same second are equal.
    app.clock.advance(SECOND_MS)
    const answer = await app.http.inject({
      method: 'POST',
      url: '/storage/v1/object/upload/sign/files/signed',
      headers: { ...headers, 'x-upsert': 'true' },
    })
    return answer.json<{ token: string }>().token
  }
  const callsOf = (token: string) => tusCalls(app, { 'x-signature': token }, `${RESUMABLE}/sign`)
  return { app, own: tusCalls(app, headers), sign, callsOf }
}

/** Returns the same token with its signature encoded in another way, if possible. */
const respelled = (token: string): string => {
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return `${token.slice(0, -1)}${last[last.indexOf(token.at(-1) ?? '') ^ 1] ?? ''}`
}

it('a signed token can have only one unfinished upload, and this upload does not count towards the limit of its signer', async () => {
  const { app, own, sign, callsOf } = await aSigner()
  const token = await sign()
  const statuses = new Set<number>()
  for (let at = 0; at < 101; at += 1) {
    const calls = callsOf(at % 2 === 0 ? token : respelled(token))
    statuses.add((await calls.create(100, VALUES, CHUNK, Buffer.alloc(50))).statusCode)
  }
  const { sql } = app.database
  // The server may refuse the other encoding as invalid.
  expect([...statuses].filter((status) => status !== 201 && status !== 400)).toEqual([])
  const open = await sql`select received_bytes from resumable_uploads where finished_at is null`
  expect(open).toEqual([{ received_bytes: 50 }])
  expect(await sql`select size_bytes from resumable_chunks`).toEqual([{ size_bytes: 50 }])
  const keys: string[] = []
  for await (const { key } of app.storage.list('resumable/')) keys.push(key)
  expect(keys).toHaveLength(1)
  for (let at = 0; at < 100; at += 1)
    expect((await own.create(1, { ...VALUES, objectName: `own ${at}` })).statusCode).toBe(201)
  expect((await callsOf(await sign()).create(1, VALUES)).statusCode).toBe(201)
})

it('a signed token gives access only to the upload that it began', async () => {
  const { own, sign, callsOf } = await aSigner()
  const [first, second] = [callsOf(await sign()), callsOf(await sign())]
  const idOf = (location: unknown) => String(location).split('/').at(-1) ?? ''
  const signed = idOf((await first.create(10, VALUES)).headers.location)
  const mine = idOf((await own.create(10, VALUES, { 'x-upsert': 'true' })).headers.location)
  let opened = 0
  for (const [calls, url] of [
    [second, `${RESUMABLE}/sign/${signed}`],
    [first, `${RESUMABLE}/sign/${mine}`],
    [second, `${RESUMABLE}/sign/${mine}`],
    [own, `${RESUMABLE}/${signed}`],
  ] as const)
    for (const answer of [
      await calls.head(url),
      await calls.write(url, 0, Buffer.alloc(10)),
      await calls.remove(url),
    ])
      if (answer.statusCode !== 404) opened += 1
  expect(opened).toBe(0)
  expect(await offsetOf(first, `${RESUMABLE}/sign/${signed}`)).toBe(0)
  expect((await first.write(`${RESUMABLE}/sign/${signed}`, 0, Buffer.alloc(10))).statusCode).toBe(204)
  expect((await own.write(`${RESUMABLE}/${mine}`, 0, Buffer.alloc(10))).statusCode).toBe(204)
})
