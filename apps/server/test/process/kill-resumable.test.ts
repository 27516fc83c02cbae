import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { metadataOf, RESUMABLE } from '../storage/resumable-upload.ts'
import { bearer, isLongRun, makeDataFolder, OWNER, signIn, startProduct } from './product-process.ts'
import { postJson, sha256Of } from './write-load.ts'

const KILLS = isLongRun ? 20 : 2
const BYTES = 48 * 1024 * 1024

it(`a resumable upload survives each of ${KILLS} kills of the server without a changed byte`, {
  timeout: KILLS * 60_000,
}, async () => {
  const dataDir = await makeDataFolder()
  const bytes = randomBytes(BYTES)
  let product = await startProduct(dataDir)
  const { access_token: token } = await signIn(product.url, OWNER)
  const headers = { ...bearer(token), 'tus-resumable': '1.0.0' }
  await postJson(`${product.url}/storage/v1/bucket`, bearer(token), { name: 'files' })
  const created = await fetch(`${product.url}${RESUMABLE}`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(BYTES),
      'upload-metadata': metadataOf({ bucketName: 'files', objectName: 'a.bin' }),
    },
  })
  const path = created.headers.get('location') ?? ''
  const offset = async () =>
    Number((await fetch(`${product.url}${path}`, { method: 'HEAD', headers })).headers.get('upload-offset'))
  const send = (from: number) =>
    fetch(`${product.url}${path}`, {
      method: 'PATCH',
      headers: {
        ...headers,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(from),
      },
      body: bytes.subarray(from),
    }).catch(() => null)
  let lost = 0
  let known = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const from = await offset()
    if (from < known) lost += 1
    known = from
    const sending = send(from)
    // The server is killed at any time between the first byte and the stored object.
    await wait(randomInt(1, 400))
    product.signal('SIGKILL')
    await Promise.all([sending, product.ended])
    product = await startProduct(dataDir)
  }
  for (let from = await offset(); from < BYTES; from = await offset())
    expect((await send(from))?.status).toBe(204)
  const read = await fetch(`${product.url}/storage/v1/object/files/a.bin`, { headers: bearer(token) })
  const isSame = sha256Of(Buffer.from(await read.arrayBuffer())) === sha256Of(bytes)
  console.info(
    `resumable upload through ${KILLS} kills: offsets that went back ${lost}, wrong bytes ${isSame ? 0 : 1}`,
  )
  expect([lost, isSame]).toEqual([0, true])
})
