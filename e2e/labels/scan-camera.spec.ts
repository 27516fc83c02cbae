import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { traceQrCode } from '../../apps/server/src/platform/qr-code.ts'
import config from '../../playwright.config.ts'
import { expect } from '../support/fixtures.ts'
import { bearer, post } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

const CODE = 'CLIP-CAM-7'
const WIDTH = 640
const HEIGHT = 480
const FRAMES = 4
const [BLACK, WHITE] = [16, 235]

/** Returns a video of a still label in the format that Chromium's fake camera reads: gray and uncompressed. */
function filmOf(text: string): Buffer {
  const { modules, path } = traceQrCode(text)
  const scale = Math.floor((HEIGHT * 0.6) / modules)
  const [left, top] = [(WIDTH - modules * scale) / 2, (HEIGHT - modules * scale) / 2].map(Math.floor)
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE)
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let row = 0; row < scale; row += 1) {
      const from = ((top ?? 0) + Number(y) * scale + row) * WIDTH + (left ?? 0) + Number(x) * scale
      luma.fill(BLACK, from, from + Number(width) * scale)
    }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((WIDTH * HEIGHT) / 2, 128)])
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F15:1 Ip A1:1 C420jpeg\n`)
  return Buffer.concat([head, ...Array.from({ length: FRAMES }, () => frame)])
}

const FILM = join(tmpdir(), 'pegasus-label.y4m')
writeFileSync(FILM, filmOf(CODE))

const { launchOptions } = config.use ?? {}
test.use({
  permissions: ['camera'],
  launchOptions: {
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${FILM}`,
    ],
  },
})

test('the camera reads a label that is held in front of it', async ({ filledShop, openAs }) => {
  const item = { name: 'Clip of the camera', sku: CODE, quantity: 3 }
  await post(`${filledShop.product.url}/api/inventory`, item, bearer(filledShop.staff.staff))
  const page = await openAs(filledShop, 'viewer')
  await page.goto('/?tab=orders')
  await page.getByRole('button', { name: 'Scan', exact: true }).filter({ visible: true }).click()
  const found = page.getByRole('dialog', { name: 'Scan' }).getByRole('region', { name: 'Found' })
  await expect(found.getByRole('heading', { name: item.name })).toBeVisible()
  // A viewer sees the item, but no button to change it.
  await expect(found.getByRole('button')).toHaveText(['Label'])
})
