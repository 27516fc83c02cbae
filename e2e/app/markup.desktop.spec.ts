import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { bearer, hireStaff, post } from '../support/accounts.ts'
import { untilLoaded } from '../support/controls.ts'
import { expect } from '../support/fixtures.ts'
import { visit } from '../support/in-app.ts'
import { NO_SUCH_ID, PAGES } from '../support/pages.ts'
import { openShop } from '../support/shop.ts'
import { openBrowserOf, test } from '../support/staffed-shop.ts'

/** Beginnings of texts. If the page contained the text as markup, they would end the element or attribute around it. */
const ENDS = ['', '">', "'>", '</title>', '</script>']

/** Markup that runs a script, loads a foreign file or leaves the page when a browser parses it. */
const MARKUP = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<details open ontoggle=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<video><source onerror=alert(1)>',
  '<a href=javascript:alert(1) id=x autofocus>',
  '<meta http-equiv=refresh content="0;url=//x.invalid">',
  '<style>@import "//x.invalid/a"</style>',
  "{{constructor.constructor('alert(1)')()}}",
  '" onpointerenter=alert(1) style=inset:0;position:fixed ',
]

/** Each beginning with each piece of markup, which are 60 texts. */
const TEXTS = ENDS.flatMap((end) => MARKUP.map((markup) => end + markup))

const NAMED_PAGES = PAGES.filter(
  ({ address }) => !address.includes(NO_SUCH_ID) && !address.includes('no-such'),
)

/** Adds one object of each kind, with this text in every text field. Returns the addresses of their pages. */
async function addObjects(url: string, headers: Record<string, string>, text: string, index: number) {
  const add = (path: string, body: object) => post<{ id: string }>(`${url}${path}`, body, headers)
  const item = await add('/api/inventory', {
    name: text,
    sku: `${index} ${text}`.slice(0, 60),
    location: text.replaceAll('/', '|').slice(0, 60),
    bin_location: text.replaceAll('/', '|').slice(0, 60),
    material_used: text,
    color: text,
    print_settings: text,
    notes: text,
  })
  const spool = await add('/api/filament', {
    material: text,
    brand: text,
    name: text,
    color: text,
    lot_number: text,
    notes: text,
    low_stock_grams: 900,
    remaining_grams: 50,
  })
  const line = { quantity: 1, unit_price: 1 }
  const order = await add('/api/orders', {
    order_number: `${index} ${text}`.slice(0, 64),
    customer_name: text,
    shipping_address: Object.fromEntries(
      ['name', 'company', 'line1', 'line2', 'postal_code', 'city', 'region', 'phone'].map((field) => [
        field,
        text,
      ]),
    ),
    notes: text,
    items: [
      { sku: `unknown ${index} ${text}`.slice(0, 60), name: text, ...line },
      { sku: `${index} ${text}`.slice(0, 60), name: text, ...line },
    ],
  })
  const job = await add('/api/print-queue', {
    inventory_item_id: item.id,
    order_id: order.id,
    material: text,
    color: text,
    notes: text,
  })
  const product = await add('/api/products', {
    name: text,
    slug: `part-${index}`,
    category: 'other',
    price: 1,
    stock: 1,
    description: text,
    tags: [text.slice(0, 30)],
    designer: text,
  })
  const printer = await add('/api/printers', { name: `${text} ${index}`, model: text })
  return [
    `/?tab=inventory&item=${item.id}`,
    `/?tab=filament&spool=${spool.id}`,
    `/?tab=orders&order=${order.id}`,
    `/?tab=print-queue&job=${job.id}`,
    `/?tab=products&product=${product.id}`,
    `/?tab=print-queue&view=printers&printer=${printer.id}`,
  ]
}

async function addModel(url: string, headers: Record<string, string>, text: string): Promise<string> {
  const form = new FormData()
  const fields = {
    title: text,
    description: text,
    tags: JSON.stringify([text.slice(0, 50)]),
    print_notes: text,
  }
  for (const [name, value] of Object.entries({ ...fields, use_ai: 'false', license_type: 'Custom' }))
    form.append(name, value)
  form.append('file', new Blob([writeBinaryStl(createCube(text.length)).slice()]), `${text}.stl`)
  const answer = await fetch(`${url}/api/stl-files/upload`, { method: 'POST', headers, body: form })
  expect(answer.status, await answer.clone().text()).toBe(201)
  const { id } = (await answer.json()) as { id: string }
  return `/?tab=stl-library&model=${id}`
}

test('T72: markup in every text field is shown as text on every page, and no script runs', async ({
  browser,
  watch,
}) => {
  test.setTimeout(600_000)
  const shop = await openShop()
  const { url } = shop.product
  const staff = await hireStaff(url)
  const headers = bearer(staff.owner)
  const details: string[] = []
  for (const [index, text] of TEXTS.entries()) {
    const added = await addObjects(url, headers, text, index)
    // The pages of objects are opened only for the texts without a prefix. The other texts appear in lists.
    if (index < MARKUP.length) details.push(...added, await addModel(url, headers, text))
  }
  for (const [index, text] of MARKUP.entries()) {
    await post(
      `${url}/api/api-keys`,
      { user_id: staff.owner.id, label: text, scope: ['print-jobs'] },
      headers,
    )
    const person = { email: `p${index}@example.com`, username: `p${index}`, role: 'staff', full_name: text }
    await post(`${url}/api/auth/users`, person, headers)
  }

  // With `watch`, the test fails for each error that the browser logs and for each script that the content policy
  // blocks.
  const page = await openBrowserOf(browser, url, staff.owner, watch)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(`${dialog.message()} at ${page.url()}`)
    void dialog.dismiss()
  })
  const leavesApp: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && /^https?:/.test(request.url())) leavesApp.push(request.url())
  })
  await page.goto('/')
  for (const address of [...NAMED_PAGES.map((named) => named.address), ...details]) {
    await visit(page, address)
    await untilLoaded(page)
  }
  await visit(page, '/?tab=inventory')
  await expect(page.getByText(TEXTS[1] ?? '').first()).toBeVisible()
  await visit(page, '/?tab=orders')
  await expect(page.getByText(TEXTS[1] ?? '').first()).toBeVisible()
  console.info(`T72: ${TEXTS.length} texts, ${NAMED_PAGES.length + details.length} pages`)
  expect({ dialogs, leavesApp }).toEqual({ dialogs: [], leavesApp: [] })
  await page.context().close()
  await shop.close()
})
