import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'
import { dialogOf, press } from '../support/upload-tray.ts'

// The test cuts the connection.
test.use({ allowedProblem: /net::ERR_|status of 409/ })

const TRIANGLES = 900_000

/** Returns a model of 45 MB. It is flat, so that it can be measured quickly. */
function aLargeModel(): Buffer {
  const bytes = Buffer.alloc(84 + 50 * TRIANGLES)
  bytes.writeUInt32LE(TRIANGLES, 80)
  for (let triangle = 0; triangle < TRIANGLES; triangle += 1) {
    const at = 84 + 50 * triangle
    bytes.writeFloatLE(triangle % 100, at + 12)
    bytes.writeFloatLE((triangle % 100) + 1, at + 24)
    bytes.writeFloatLE(Math.floor(triangle / 100) / 100, at + 40)
  }
  return bytes
}

/** A fault of the connection, which happens after this many bytes of an upload in one request. */
interface Incident {
  afterBytes: number
  kind: 'cut' | 'hold'
  /**
   * Whether the fault strikes a request that continues the upload, and not the first request. A browser repeats a first
   * request that was cut off, and the next fault must not strike this repetition.
   */
  isContinued: boolean
}

/**
 * Starts a proxy in front of the server, on which the faults happen one after the other. `offsets` lists the upload
 * offset of each request that sends bytes.
 */
async function aBadLine(productUrl: string, incidents: Incident[]) {
  const sockets = new Set<Socket>()
  const offsets: number[] = []
  const server = createServer((page) => {
    const product = connect(Number(new URL(productUrl).port), '127.0.0.1')
    let sent = 0
    let offset = 0
    const end = () => {
      page.destroy()
      product.destroy()
    }
    for (const socket of [page, product]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    product.pipe(page)
    product.on('drain', () => page.resume())
    page.on('data', (bytes) => {
      const head = /^PATCH [\s\S]*?\r\nupload-offset: (\d+)/i.exec(bytes.toString('latin1'))
      if (head) {
        ;[sent, offset] = [0, Number(head[1])]
        offsets.push(offset)
      }
      sent += bytes.length
      const [next] = incidents
      if (next && sent >= next.afterBytes && next.isContinued === offset > 0) {
        incidents.shift()
        if (next.kind === 'cut') end()
        else page.pause()
      } else if (!product.write(bytes)) page.pause()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    offsets,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function startUpload(page: Page, file: string): Promise<void> {
  await page.goto('/?tab=stl-library')
  await page.getByRole('button', { name: 'Upload STL' }).click()
  await dialogOf(page).getByLabel('File').setInputFiles(file)
  await press(dialogOf(page), 'Upload')
}

test('a large upload continues after a lost connection, or after a reload with the same file', async ({
  newShop,
  openAs,
}) => {
  test.setTimeout(180_000)
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-upload-'))
  const file = join(folder, 'large.stl')
  await writeFile(file, aLargeModel())
  const incidents: Incident[] = [
    { afterBytes: 25_000_000, kind: 'cut', isContinued: false },
    { afterBytes: 8_000_000, kind: 'hold', isContinued: true },
  ]
  const bad = await aBadLine(newShop.product.url, incidents)
  const page = await openAs({ ...newShop, product: { ...newShop.product, url: bad.url } }, 'staff')
  page.on('dialog', (dialog) => void dialog.accept())
  await startUpload(page, file)
  await expect.poll(() => incidents.length).toBe(0)
  const { offsets } = bad
  expect(offsets[0]).toBe(0)
  const continued = offsets.at(-1) ?? 0
  expect(continued).toBeGreaterThan(16_000_000)

  await page.reload()
  await startUpload(page, file)
  await expect(dialogOf(page)).toBeHidden()
  expect(offsets.at(-1)).toBeGreaterThanOrEqual(continued)
  expect(offsets.filter((offset) => offset === 0).length).toBeLessThanOrEqual(2)
  await expect(page.getByRole('article').filter({ hasText: 'large' })).toHaveCount(1)
  bad.close()
  await rm(folder, { recursive: true })
})
