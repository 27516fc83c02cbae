import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, it, onTestFinished } from 'vitest'
import { startExternalPostgres } from '../servers/external-postgres.ts'
import { EMBEDDED_POSTGRES } from '../servers/postgres-server.ts'
import {
  bearer,
  launchProduct,
  makeDataFolder,
  OWNER,
  type ProductProcess,
  signIn,
  startProduct,
  until,
} from '../process/product-process.ts'
import { s3Variables, type S3Server, startS3Server } from '../servers/s3-server.ts'
import { aModel, heldUpload, sha256Of, uploadModel } from '../process/write-load.ts'

const PATIENCE_MS = 60_000
/** Number of triangles of a model of 2.2 MB. The server sends so large a file to the bucket before its commit. */
const LARGE_TRIANGLES = 45_000

const modelsOn = async (url: string, token: string): Promise<Model[]> =>
  (await (await fetch(`${url}/api/stl-files?limit=1000`, { headers: bearer(token) })).json()) as Model[]

async function startOnBucket(store: S3Server, databaseUrl: string, dataDir: string): Promise<ProductProcess> {
  return startProduct(dataDir, {
    ...s3Variables(store),
    DATABASE_URL: databaseUrl,
    ROOT_SECRET: 'a secret of forty characters for replicas',
  })
}

it('if one of two processes on a bucket is killed during an upload, nothing is lost and nothing is left behind', {
  timeout: 600_000,
}, async () => {
  const store = await startS3Server()
  onTestFinished(() => store.close())
  const { url: databaseUrl } = await startExternalPostgres(EMBEDDED_POSTGRES)
  const [oneDir, otherDir] = [await makeDataFolder(), await makeDataFolder()]
  const [one, other] = await Promise.all([
    startOnBucket(store, databaseUrl, oneDir),
    startOnBucket(store, databaseUrl, otherDir),
  ])
  const { access_token: token } = await signIn(one.url, OWNER)

  const kept: { id: string; sha256: string }[] = []
  for (const [index, triangles] of [1, 200, LARGE_TRIANGLES, 30].entries()) {
    const [here, there] = index % 2 ? [one, other] : [other, one]
    const bytes = aModel(triangles)
    const answer = await uploadModel(here.url, token, bytes)
    expect(answer.status).toBe(201)
    const { id } = (await answer.json()) as Model
    kept.push({ id, sha256: sha256Of(bytes) })
    const read = await fetch(`${there.url}/api/stl-files/${id}/file`, { headers: bearer(token) })
    expect(sha256Of(Buffer.from(await read.arrayBuffer()))).toBe(sha256Of(bytes))
  }
  const areDrawn = async () =>
    (await modelsOn(other.url, token)).every(({ analysis_status: status }) => status === 'done')
  expect(await until(areDrawn, PATIENCE_MS, 100)).toBe(true)
  for (const { thumbnail_path: path } of await modelsOn(one.url, token))
    for (const { url } of [one, other]) expect((await fetch(`${url}${path}`)).status).toBe(200)

  // One upload is still arriving, and the server is sending another one to the bucket.
  const held = heldUpload(one.url, token, aModel(1000))
  const answers = [held.response.catch(() => null)]
  store.fault = ({ name }) => (name === 'UploadPart' ? 'hang' : null)
  answers.push(uploadModel(one.url, token, aModel(LARGE_TRIANGLES)).catch(() => null))
  const isInTheMidst = async () =>
    store.uploads.size === 1 && (await readdir(join(oneDir, 'uploads'))).length === 2
  expect(await until(isInTheMidst, PATIENCE_MS)).toBe(true)
  one.signal('SIGKILL')
  held.release()
  expect(await Promise.all(answers)).toEqual([null, null])
  await one.ended
  store.fault = () => null
  const again = await startOnBucket(store, databaseUrl, oneDir)
  const left = await readdir(join(oneDir, 'uploads'))
  let lost = 0
  for (const { id, sha256 } of kept) {
    const read = await fetch(`${again.url}/api/stl-files/${id}/file`, { headers: bearer(token) })
    if (sha256Of(Buffer.from(await read.arrayBuffer())) !== sha256) lost += 1
  }
  const listed = (await modelsOn(again.url, token)).length
  console.info(
    `T101 on S3, a process killed: acknowledged files lost ${lost} of ${kept.length}, half-stored ${listed - kept.length}, files left ${left.length} of 2`,
  )
  expect({ lost, listed, left }).toEqual({ lost: 0, listed: kept.length, left: [] })
})

it('without a usable bucket, the server exits with a readable error', {
  timeout: 120_000,
}, async () => {
  const store = await startS3Server()
  onTestFinished(() => store.close())
  const { url: databaseUrl } = await startExternalPostgres(EMBEDDED_POSTGRES)
  const dataDir = await makeDataFolder()
  const variables = { ...s3Variables(store), DATABASE_URL: databaseUrl }
  const noKeys = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' }
  const starts: [Record<string, string>, string][] = [
    [{ ...variables, AWS_SECRET_ACCESS_KEY: 'wrong' }, 'it refuses the keys in AWS_ACCESS_KEY_ID and'],
    [{ ...variables, ...noKeys, HOME: dataDir }, 'there are no keys for it;'],
  ]
  for (const [given, reason] of starts) {
    const { ended, readOutput } = launchProduct(dataDir, given)
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(readOutput().trim()).toMatch(/^STORAGE_URL names the bucket "workshop" at [^\n]+\.$/)
    expect(readOutput()).toContain(reason)
  }
})
