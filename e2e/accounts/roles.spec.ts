import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { APIResponse, Page } from '@playwright/test'
import { watchForRefusals, withoutNumbers } from '../support/controls.ts'
import { findForbidden, nameOf } from '../support/endpoints.ts'
import { expect } from '../support/fixtures.ts'
import { PART } from '../support/model-files.ts'
import { isClosed, PAGES } from '../support/pages.ts'
import { type FilledShop, test } from '../support/staffed-shop.ts'
import { walkAsRole } from '../support/walk-as-role.ts'

// Some of the opened addresses lead to missing objects, and the browser logs each as an error.
test.use({ allowedProblem: /status of 404/ })

/**
 * Controls that viewers must not see on pages that they may open, each with the call that it makes. A link to a page
 * that viewers may not open makes no call, so it is not listed.
 */
const HIDDEN_FROM_VIEWERS: Readonly<Record<string, string>> = {
  'button "Upload STL"': 'POST /api/stl-files/upload',
  'option "Upload STL"': 'POST /api/stl-files/upload',
  'button "Add Item"': 'POST /api/inventory',
  'button "Add location"': 'POST /api/locations',
  'button "Add inside"': 'POST /api/locations',
  'button "Rename or move"': 'PUT /api/locations/:id',
  'button "Print label"': 'POST /api/labels/printed',
  'button "Print labels"': 'POST /api/labels/printed',
  'button "Print due labels"': 'POST /api/labels/printed',
  'option "Print the labels that are due"': 'POST /api/labels/printed',
  'button "Add Filament"': 'POST /api/filament/batch',
  'button "Add Job"': 'POST /api/print-queue',
  'button "Add Printer"': 'POST /api/printers',
  'button "New order"': 'POST /api/orders',
  'option "New order"': 'POST /api/orders',
  'option "Sync orders"': 'POST /api/orders/sync',
  'option "SKU inbox"': 'GET /api/orders/unknown-skus',
  'option "Sales report"': 'GET /api/reports/sales',
  'button "Load into a printer"': 'POST /api/printers/:id/load',
  'link "Planned and actual"': 'GET /api/reports/production',
  'link "New product"': 'POST /api/admin/products',
  'option "New product"': 'POST /api/admin/products',
  'option "New item"': 'POST /api/inventory',
  'option "New print job"': 'POST /api/print-queue',
  'option "New spool"': 'POST /api/filament/batch',
  'link "Add a spool"': 'POST /api/filament/batch',
  'link "Make a product"': 'POST /api/admin/products',
  'link "Upload media"': 'POST /storage/v1/object/:bucket/*',
  'option "Upload product media"': 'POST /storage/v1/object/:bucket/*',
  'tab "Admin"': 'POST /api/auth/admin/reset-password',
}

/**
 * Controls that viewers must not see at a model, item, spool or job, each with the call that it makes. The label
 * contains the name of the object.
 */
const HIDDEN_AT_EACH: readonly (readonly [RegExp, string])[] = [
  [/^checkbox "Select /, 'POST /api/stl-files/bulk'],
  [/^button "Publish Letter tray/, 'POST /api/products/:id/publish'],
  [/^button "Restore /, 'POST /api/stl-files/:id/restore'],
  [/^button "(?:Take|Add) one of /, 'POST /api/inventory/:id/adjust'],
  [/^textbox "Quantity of /, 'POST /api/inventory/:id/count'],
  [/^button "Edit /, 'PUT /api/inventory/:id'],
  [/^button "(?:Price|Location) of .*, edit: /, 'PUT /api/inventory/:id'],
  [/^button "Weigh S-/, 'POST /api/filament/:id/weigh'],
  [/^button "Use S-/, 'POST /api/filament/:id/use'],
  [/^button "More for S-/, 'PUT /api/filament/:id'],
  [/^button "More for /, 'PUT /api/print-queue/:id'],
  [/^button "Priority of .*, edit: /, 'PUT /api/print-queue/:id'],
  [/^button "Start /, 'POST /api/print-queue/:id/start'],
  [/^button "Complete /, 'POST /api/print-queue/:id/complete'],
  [/^button "Done on /, 'POST /api/printers/:id/clear'],
  [/^button "Failed on /, 'POST /api/print-queue/:id/fail'],
  [/^button "Move /, 'POST /api/print-queue/reorder'],
  [/^button "Delete Rack /, 'DELETE /api/locations/:id'],
  [/^link "Print: /, 'POST /api/print-queue'],
  [/^link "Requeue: /, 'POST /api/print-queue/:id/requeue'],
  [/^link "(?:Review: )?.* waits for approval"$/, 'PATCH /api/auth/users/:id'],
]

const callOf = (control: string): string | undefined =>
  HIDDEN_FROM_VIEWERS[control] ?? HIDDEN_AT_EACH.find(([name]) => name.test(control))?.[1]

/** Returns whether a control leads to a page that viewers may not open. */
const leadsToClosedPage = (control: string): boolean =>
  PAGES.filter(isClosed).some(({ section }) =>
    [`link "${section}"`, `menuitem "${section}"`, `option "Go to ${section}"`].includes(control),
  )

test('T14 viewers see no button for actions that they may not perform, and the server refuses such calls', async ({
  filledShop,
  openAs,
}) => {
  test.setTimeout(300_000)
  const ownerSees = await walkAsRole(await openAs(filledShop, 'owner'), 'owner')
  const page = await openAs(filledShop, 'viewer')
  const refused = watchForRefusals(page)
  const viewerSees = await walkAsRole(page, 'viewer')
  await page.goto('/?tab=stl-library&upload=1')
  // Find the card by its element name, because an open dialog would hide its role.
  await expect(page.locator('article').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(refused, 'what the page itself asked for and may not').toEqual([])

  const forbidden = await findForbidden('viewer')
  const shown = union(viewerSees)
  const hidden = [...union(ownerSees)].filter((control) => !shown.has(control))
  const calls = forbidden.map(nameOf)
  const wrong = hidden
    .filter((control) => !leadsToClosedPage(control) && !calls.includes(callOf(control) ?? ''))
    .map((control) => `${control} is hidden: HIDDEN_FROM_VIEWERS has to name the call that it makes`)
  for (const [where, controls] of viewerSees)
    for (const control of controls)
      if (callOf(control) !== undefined || leadsToClosedPage(control))
        wrong.push(`${control} is shown at ${where}`)

  const before = await countRows(filledShop)
  for (const endpoint of forbidden) {
    const answer = await callByHand(page, filledShop, endpoint)
    const message = await readMessage(answer, endpoint)
    if (answer.status() !== 403 || !message) wrong.push(`${nameOf(endpoint)}: ${answer.status()} ${message}`)
  }
  expect(await countRows(filledShop)).toEqual(before)
  console.info(
    `T14 shown, or answered by hand ${wrong.length} of ${hidden.length} controls and ${forbidden.length} calls`,
  )
  expect(hidden).toContain('button "Upload STL"')
  expect(wrong).toEqual([])
})

const union = (each: Map<string, Set<string>>): Set<string> =>
  new Set([...each.values()].flatMap((controls) => [...controls].map(withoutNumbers)))

/**
 * Returns the message of an error. The hosted service's protocol has its own JSON format, and resumable uploads use
 * plain text.
 */
async function readMessage(answer: APIResponse, { dialect }: Endpoint): Promise<string | undefined> {
  const text = await answer.text()
  if (dialect === 'tus') return text
  const { detail, message = detail } = JSON.parse(text) as { detail?: string; message?: string }
  return message
}

/** Sends the request that a hidden control would send, for an existing object and with the viewer's token. */
function callByHand(
  page: Page,
  { product, model, staff }: FilledShop,
  endpoint: Endpoint,
): Promise<APIResponse> {
  const url = product.url + endpoint.path.replaceAll(/:\w+/g, model.id)
  const file = { name: PART.name, mimeType: 'model/stl', buffer: Buffer.from(PART.bytes) }
  return page.request.fetch(url, {
    method: endpoint.method,
    headers: { authorization: `Bearer ${staff.viewer.token}`, 'if-match': '*' },
    ...(endpoint.fileField ? { multipart: { [endpoint.fileField]: file } } : endpoint.body && { data: {} }),
  })
}

/** Returns the number of objects of each kind. */
async function countRows({ database }: FilledShop): Promise<unknown> {
  const [counts] = await database.sql`
    select (select count(*) from stl_files) as models, (select count(*) from accounts) as accounts,
           (select count(*) from items) as items, (select count(*) from movements) as movements,
           (select count(*) from print_jobs) as jobs, (select count(*) from orders) as orders,
           (select count(*) from spools) as spools, (select count(*) from api_keys) as keys`
  return counts
}
