import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { bearer, post, signIn } from '../support/accounts.ts'
import { expect, OWNER, test as base } from '../support/fixtures.ts'
import { findFreePort } from '../support/harness.ts'

const LIBRARY = new URL('../../node_modules/tus-js-client/dist/tus.min.js', import.meta.url)
const MIB = 1024 * 1024
const SIZE = 5 * MIB

/** The part of the client library that the page uses. */
interface Tus {
  Upload: new (
    file: File,
    options: Record<string, unknown>,
  ) => {
    url: string | null
    start(): void
    abort(): Promise<void>
    findPreviousUploads(): Promise<unknown[]>
    resumeFromPreviousUpload(previous: unknown): void
  }
}

/** Serves a page of another origin that loads the unmodified client library of the protocol. */
const test = base.extend<object, { shopPage: string }>({
  shopPage: [
    async ({}, use) => {
      const port = await findFreePort()
      const server: Server = createServer((request, response) => {
        if (request.url === '/tus.js')
          response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(LIBRARY))
        else if (request.url === '/')
          response
            .writeHead(200, { 'content-type': 'text/html' })
            .end('<!doctype html><html lang="en"><title>Shop</title><script src="/tus.js"></script>')
        else response.writeHead(204).end()
      })
      await new Promise<void>((resolve) => {
        server.listen(port, '127.0.0.1', resolve)
      })
      await use(`http://127.0.0.1:${port}/`)
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
    { scope: 'worker' },
  ],
})

const byteAt = (index: number): number => (index * 31 + (index >> 8)) & 255

/**
 * Uploads the file from the page. Stops after `stopAt` bytes. Returns how the upload ended and which offsets the server
 * accepted.
 */
const send = (page: Page, target: { endpoint: string; token: string; stopAt: number | null }) =>
  page.evaluate(
    async ({ endpoint, token, stopAt, size }) => {
      const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 255)
      // The library recognizes the file of an unfinished upload by these properties.
      const file = new File([bytes], 'cube.stl', { type: 'model/stl', lastModified: 1_790_000_000_000 })
      const { tus } = globalThis as unknown as { tus: Tus }
      const accepted: number[] = []
      const { promise, resolve, reject } = Promise.withResolvers<'stopped' | 'done'>()
      const upload = new tus.Upload(file, {
        endpoint,
        headers: { authorization: `Bearer ${token}` },
        chunkSize: 1024 * 1024,
        retryDelays: null,
        removeFingerprintOnSuccess: true,
        metadata: { bucketName: 'shop-files', objectName: 'models/cube.stl', contentType: 'model/stl' },
        onChunkComplete(_chunk: number, total: number) {
          accepted.push(total)
          if (stopAt !== null && total >= stopAt) upload.abort().then(() => resolve('stopped'), reject)
        },
        onError: reject,
        onSuccess: () => resolve('done'),
      })
      const unfinished = await upload.findPreviousUploads()
      if (unfinished[0] !== undefined) upload.resumeFromPreviousUpload(unfinished[0])
      upload.start()
      return { end: await promise, found: unfinished.length, accepted, url: upload.url }
    },
    { ...target, size: SIZE },
  )

test('a page of another origin can upload with tus-js-client, and can continue after a reload', async ({
  page,
  product,
  shopPage,
}) => {
  const owner = await signIn(product.url, 'owner', OWNER.email, OWNER.password)
  const { token } = owner
  const headers = bearer(owner)
  await post(`${product.url}/storage/v1/bucket`, { name: 'shop-files', public: false }, headers)
  const created: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') created.push(request.url())
  })
  const endpoint = `${product.url}/storage/v1/upload/resumable`
  await page.goto(shopPage)
  const first = await send(page, { endpoint, token, stopAt: 2 * MIB })
  expect([first.end, first.found, first.accepted]).toEqual(['stopped', 0, [MIB, 2 * MIB]])
  await page.reload()
  const second = await send(page, { endpoint, token, stopAt: null })
  expect([second.end, second.found, second.accepted]).toEqual(['done', 1, [3 * MIB, 4 * MIB, SIZE]])
  expect([second.url, created]).toEqual([first.url, [endpoint]])
  const stored = await fetch(`${product.url}/storage/v1/object/authenticated/shop-files/models/cube.stl`, {
    headers,
  })
  const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
  const sent = Uint8Array.from({ length: SIZE }, (_, index) => byteAt(index))
  expect(hashOf(new Uint8Array(await stored.arrayBuffer()))).toBe(hashOf(sent))
})
