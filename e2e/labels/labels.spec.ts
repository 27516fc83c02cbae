import type { Locator, Page } from '@playwright/test'
import { expect } from '../support/fixtures.ts'
import { bearer, post } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

interface Added {
  id: string
  label_code: string
}

const scanDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Scan' })

const openScan = (page: Page) =>
  page.getByRole('button', { name: 'Scan', exact: true }).filter({ visible: true }).click()

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.keyboard.press('Enter')
}

/** Returns the sizes of the pages that the print dialog would print, in whole millimeters. */
async function printedPages(page: Page): Promise<string[]> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  return boxes.map(([, ...sides]) =>
    sides.map((points) => Math.round((Number(points) / 72) * 25.4)).join(' × '),
  )
}

/**
 * Types with pauses of some milliseconds between the keys, like a handheld scanner. Playwright's keyboard does not
 * guarantee such pauses.
 */
const typeLikeScanner = (page: Page, code: string) =>
  page.evaluate(
    (keys) => {
      for (const key of keys)
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        )
    },
    [...code, 'Enter'],
  )

test('a person can enter the code of a label by keyboard, scanner or photo, and can undo a stock change after the scan', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.staff)
  const item = await post<Added>(
    `${url}/api/inventory`,
    {
      name: 'Cable clip, wide',
      sku: 'CLIP-W',
      quantity: 9,
      location: 'Shelf of clips',
      bin_location: 'Bin 3',
    },
    headers,
  )
  const place = await post<Added>(`${url}/api/locations`, { kind: 'place', name: 'Packing table' }, headers)
  const page = await openAs(filledShop, 'staff')
  await page.goto('/?tab=orders')

  // Type the code in lowercase.
  await openScan(page)
  const dialog = scanDialog(page)
  await typeCode(page, item.label_code.toLowerCase())
  const found = dialog.getByRole('region', { name: 'Found' })
  await expect(found.getByRole('heading', { name: 'Cable clip, wide' })).toBeVisible()
  await expect(found.getByText('9', { exact: true })).toBeVisible()
  await found.getByRole('button', { name: 'Take 1' }).click()
  await expect(found.getByText('8', { exact: true })).toBeVisible()
  await found.getByLabel('Pieces at a time').fill('5')
  await found.getByRole('button', { name: 'Add 5' }).click()
  await expect(found.getByText('13', { exact: true })).toBeVisible()
  await found.getByRole('button', { name: 'Count' }).click()
  await found.getByLabel('Counted').fill('12')
  await found.getByRole('button', { name: 'Save count' }).click()
  await expect(found.getByText('12', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: /^Undo: .*counted 12/ }).click()
  await expect(found.getByText('13', { exact: true })).toBeVisible()

  // Open an item, and type the name of a location to move the item there. A wrong name can be corrected.
  const asksForPlace = dialog.getByText(
    'Scan the location to which “Cable clip, wide” is moved, or type its name.',
  )
  const undoMove = dialog.getByRole('button', { name: /^Undo: .*moved to Packing table/ })
  await found.getByRole('button', { name: 'Move' }).click()
  await expect(asksForPlace).toBeVisible()
  await typeCode(page, 'Packing')
  await expect(dialog.getByRole('alert')).toContainText('There is no location named “Packing”.')
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('Packing')
  await page.keyboard.type('packing TABLE')
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('packing TABLE')
  await page.keyboard.press('Enter')
  await expect(found.getByText('Packing table')).toBeVisible()
  await undoMove.click()
  await expect(found.getByText('Shelf of clips / Bin 3')).toBeVisible()

  // Open the item again, scan the label of its first location, and move it back.
  await found.getByRole('button', { name: 'Move' }).click()
  await expect(asksForPlace).toBeVisible()
  await typeCode(page, place.label_code)
  await expect(found.getByText('Packing table')).toBeVisible()
  await undoMove.click()
  await expect(found.getByText('Shelf of clips / Bin 3')).toBeVisible()

  // Scan the label several times. Each scan removes one piece.
  await dialog.getByRole('radio', { name: 'Takes 1' }).check()
  await typeCode(page, 'CLIP-W')
  await expect(found.getByText('12', { exact: true })).toBeVisible()
  await typeCode(page, 'clip-w')
  await expect(found.getByText('11', { exact: true })).toBeVisible()
  await dialog.getByRole('radio', { name: 'Shows it' }).check()
  await typeCode(page, 'no such thing')
  await expect(dialog.getByRole('alert')).toContainText('no such thing')
  await page.keyboard.press('Escape')

  // A handheld scanner types a code while no field has the focus.
  await typeLikeScanner(page, item.label_code)
  await expect(found.getByRole('heading', { name: 'Cable clip, wide' })).toBeVisible()
  await page.keyboard.press('Escape')

  // Use a photo of the label instead of the camera.
  const label = await fetch(`${url}/api/inventory/${item.id}/label?format=png&size=62x29&dpi=300`, {
    headers,
  })
  await openScan(page)
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'label.png',
    mimeType: 'image/png',
    buffer: Buffer.from(await label.arrayBuffer()),
  })
  await expect(found.getByRole('heading', { name: 'Cable clip, wide' })).toBeVisible()

  // Print the label, which then is no longer due. Keep the browser's own print dialog closed.
  await page.evaluate(() => {
    window.print = () => undefined
  })
  await found.getByRole('button', { name: 'Label' }).click()
  const labels = page.getByRole('dialog', { name: 'Print labels' })
  await expect(labels.getByRole('img', { name: `Label ${item.label_code}` })).toBeVisible()
  await labels.getByRole('button', { name: 'Print', exact: true }).click()
  expect(await printedPages(page)).toEqual(['62 × 29'])
  await labels.getByLabel('Paper').selectOption('avery-l7160')
  await labels.getByRole('button', { name: 'Start at cell 5' }).click()
  await labels.getByRole('button', { name: 'Print', exact: true }).click()
  expect(await printedPages(page)).toEqual(['210 × 297'])
  const download = page.waitForEvent('download')
  await labels.getByRole('button', { name: 'Save as PDF' }).click()
  expect((await download).suggestedFilename()).toBe('labels.pdf')
  await labels.getByRole('button', { name: 'Yes, mark them as printed' }).click()
  await expect(labels).toBeHidden()
  const queue = await fetch(`${url}/api/labels/queue?kind=item&limit=1000`, { headers })
  const due = ((await queue.json()) as { code: string }[]).map(({ code }) => code)
  expect(due.length).toBeGreaterThan(0)
  expect(due).not.toContain(item.label_code)

  // On a desktop, the dialog lists the due labels, and each of them can be left out. The Back button closes the dialog.
  if (test.info().project.name === 'desktop') {
    await page.goto('/?tab=print-queue')
    await page
      .getByRole('link', { name: /^Inventory/ })
      .first()
      .click()
    await page.getByRole('button', { name: /^Print \d+ due labels$/ }).click()
    const chosen = labels.getByRole('group', { name: 'Labels to print' })
    await expect(chosen).toBeVisible()
    const boxes = await chosen.getByRole('listitem').count()
    await expect(labels.getByText(`${boxes} labels`, { exact: true })).toBeVisible()
    await chosen.getByRole('listitem').first().getByRole('checkbox').uncheck()
    await expect(labels.getByText(new RegExp(`^${boxes - 1} labels?$`))).toBeVisible()
    await page.goBack()
    await expect(labels).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: 'Inventory' })).toBeVisible()
  }

  // Open the address in the label's QR code, as a phone does.
  await page.goto(`/S/${item.label_code}`)
  await expect(page.getByRole('heading', { name: 'Cable clip, wide', level: 1 })).toBeVisible()
  await page.goto('/S/I-99999')
  await expect(page.getByRole('heading', { name: 'No match for this code' })).toBeVisible()
})
