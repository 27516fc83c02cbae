import { createGear } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** A file on a person's disk. */
export interface Upload {
  name: string
  bytes: Uint8Array
}

/** Returns the file of a gear wheel. Each number of teeth gives a different model. */
export const gear = (teeth: number): Upload => ({
  name: `gear ${teeth}.stl`,
  bytes: writeBinaryStl(createGear(teeth)),
})

export const tray = (page: Page): Locator => page.getByRole('complementary', { name: 'Uploads' })
export const line = (page: Page, name: string): Locator =>
  tray(page).getByRole('listitem', { name, exact: true })
export const heading = (page: Page): Locator => tray(page).getByRole('heading')
export const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Upload STL' })
export const press = (where: Page | Locator, name: string): Promise<void> =>
  where.getByRole('button', { name, exact: true }).click()

/** Expands the tray. */
export async function openTray(page: Page): Promise<void> {
  await expect(tray(page)).toBeVisible()
  const show = tray(page).getByRole('button', { name: 'Show uploads' })
  if (await show.isVisible()) await show.click()
}

export async function choose(page: Page, uploads: readonly Upload[]): Promise<void> {
  await page.getByRole('button', { name: 'Upload STL' }).click()
  await dialogOf(page)
    .getByLabel('File')
    .setInputFiles(
      uploads.map(({ name, bytes }) => ({ name, mimeType: 'model/stl', buffer: Buffer.from(bytes) })),
    )
}

/** Drops files on the page. */
export async function drop(page: Page, uploads: readonly Upload[]): Promise<void> {
  const files = uploads.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }))
  await page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer()
    for (const { name, base64 } of dropped)
      dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name))
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }, files)
}
