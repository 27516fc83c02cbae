import { isCancellable } from './order-calls.ts'
import type { ShopOrder, ShopProduct, ShopState } from './shop-store.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes external text for an HTML page. */
export const escape = (text: string | number): string =>
  String(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="data:,">
</head>
<body>
<header><a href="/">Example shop</a> <nav><a href="/admin/orders">Orders</a></nav></header>
<main>${body}</main>
</body>
</html>`

const WIDTHS = [320, 640, 1280]

/**
 * Returns the HTML of a picture. Pictures in the storage of Pegasus Ops are also available in other sizes and
 * formats. Pictures from elsewhere are shown as they are.
 */
function picture(url: string, name: string, sizes: string): string {
  const alt = escape(name)
  const [whole, base, path] = /^(https?:\/\/[^/]+\/storage\/v1)\/object\/public\/([^?]+)$/.exec(url) ?? []
  if (whole === undefined) return `<img src="${escape(url)}" alt="${alt}" loading="lazy">`
  const source = (format: string) => {
    const set = WIDTHS.map(
      (width) => `${base}/render/image/public/${path}?width=${width}&format=${format} ${width}w`,
    )
    return `<source type="image/${format}" sizes="${sizes}" srcset="${escape(set.join(', '))}">`
  }
  return `<picture>${source('avif')}${source('webp')}<img src="${escape(url)}" alt="${alt}" loading="lazy"></picture>`
}

export function storefront({ products }: ShopState, currency: string): string {
  const cards = products.map((product) => {
    const first = product.posterUrl ?? product.images[0]
    const shown =
      first === undefined ? '<span class="none">No picture</span>' : picture(first, product.name, '320px')
    return `<a class="card" href="/products/${product.slug}">${shown}<h2>${escape(product.name)}</h2><p>${money(product.price, currency)}</p></a>`
  })
  const nothing = '<p>Nothing is for sale yet.</p>'
  return page('Example shop', `<h1>Products</h1><div class="cards">${cards.join('') || nothing}</div>`)
}

const tiers = (product: ShopProduct, currency: string): string => {
  if (!product.bulkTiers?.length) return ''
  const rows = product.bulkTiers.map(
    ({ quantity, price }) => `<tr><td>${quantity} or more</td><td>${money(price, currency)} each</td></tr>`,
  )
  return `<h2>Buying more</h2><table>${rows.join('')}</table>`
}

/** Maximum number of pieces in one order. */
export const MAX_PIECES = 1000

export function productPage(product: ShopProduct, currency: string): string {
  const pictures = product.images.map((url) => picture(url, product.name, '(max-width: 40rem) 100vw, 40rem'))
  const poster = product.posterUrl === null ? '' : ` poster="${escape(product.posterUrl)}"`
  const videos = product.videos.map(
    (url) => `<video controls preload="metadata"${poster} src="${escape(url)}"></video>`,
  )
  const designer = product.designer === null ? '' : `<p>Designed by ${escape(product.designer)}</p>`
  const order = `<form method="post" action="/products/${product.slug}/checkout">
<label>Pieces <input name="quantity" type="number" min="1" max="${MAX_PIECES}" value="1" required></label>
<label>Your name <input name="customer" maxlength="200" required></label>
<label>Street and number <input name="line1" maxlength="200"></label>
<label>Postal code <input name="postal_code" maxlength="20"></label>
<label>City <input name="city" maxlength="100"></label>
<label>Country <input name="country" maxlength="2" size="2" value="US"></label>
<label>Your email <input name="email" type="email" maxlength="300" required></label>
<button>Order (a test: nothing is paid)</button>
</form>`
  return page(
    product.name,
    `<h1>${escape(product.name)}</h1><div class="media">${videos.join('')}${pictures.join('')}</div>
<p class="price">${money(product.price, currency)}</p><p>${product.stock} in stock. More are printed to order.</p>
<p class="text">${escape(product.description)}</p>${designer}${tiers(product, currency)}${order}`,
  )
}

const totalOf = ({ quantity, unitPrice, shipping }: ShopOrder, currency: string): string =>
  money(quantity * unitPrice + shipping, currency)

/** Returns what was sent of an order, with the carriers and tracking numbers. */
function sentText({ status, shipments }: ShopOrder): string {
  if (status === 'cancelled') return 'Cancelled'
  if (shipments.length === 0) return status === 'completed' ? 'Completed' : 'Not sent'
  const parcels = shipments.map(({ carrier, trackingNumber }) =>
    [carrier, trackingNumber].filter(Boolean).join(' '),
  )
  return `${status === 'completed' ? 'Sent' : 'Sent in part'} ${parcels.join(', ')}`.trim()
}

/** The page of an order, from which the customer can cancel it until pieces are sent. */
export function orderPage(order: ShopOrder, currency: string): string {
  const cancel = isCancellable(order)
    ? `<form method="post" action="/orders/${order.token}/cancel"><button>Cancel order</button></form>`
    : ''
  return page(
    `Order ${order.number}`,
    `<h1>Order ${escape(order.number)}</h1><p>${order.quantity} × ${escape(order.name)}</p>
<p class="price">${totalOf(order, currency)}</p><p>${escape(sentText(order))}</p>${cancel}`,
  )
}

const orderRow = (order: ShopOrder, currency: string): string => {
  const state = order.handedOver ? 'Handed over' : `Not handed over: ${order.problem ?? 'not tried yet'}`
  const number = escape(order.number)
  const link = order.token === '' ? number : `<a href="/orders/${order.token}">${number}</a>`
  return `<tr><td>${link}</td><td>${escape(order.customer)}</td><td>${order.quantity} × ${escape(order.name)}</td>
<td>${totalOf(order, currency)}</td><td>${escape(sentText(order))}</td><td>${escape(state)}</td></tr>`
}

export function ordersPage({ orders, apiKey }: ShopState, currency: string): string {
  const rows = orders.toReversed().map((order) => orderRow(order, currency))
  const key = apiKey === '' ? 'No API key of Pegasus Ops is set.' : 'An API key of Pegasus Ops is set.'
  return page(
    'Orders',
    `<h1>Orders</h1><table><thead><tr><th>Order</th><th>Customer</th><th>Items</th><th>Total</th><th>Sent</th><th>Pegasus Ops</th></tr></thead>
<tbody>${rows.join('') || '<tr><td colspan="6">No orders yet.</td></tr>'}</tbody></table>
<form method="post" action="/admin/orders/hand-over"><button>Hand over the remaining orders</button></form>
<form method="post" action="/admin/api-key"><p>${key}</p>
<label>API key, scope integration <input name="key" type="password" autocomplete="off"></label><button>Save</button></form>`,
  )
}

export const messagePage = (
  title: string,
  text: string,
  { href, text: label } = { href: '/', text: 'To the products' },
): string =>
  page(title, `<h1>${escape(title)}</h1><p>${escape(text)}</p><p><a href="${href}">${label}</a></p>`)

export const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1c1917;background:#fafaf9}
header{display:flex;justify-content:space-between;padding:1rem 2rem;background:#fff;border-bottom:1px solid #e7e5e4}
main{max-width:64rem;margin:0 auto;padding:2rem}img,video{max-width:100%;height:auto;display:block}
.cards{display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr))}
.card{background:#fff;border:1px solid #e7e5e4;border-radius:.75rem;padding:1rem;color:inherit;text-decoration:none}
.media{display:grid;gap:1rem;max-width:40rem}.price{font-size:1.5rem}.text{white-space:pre-line}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.5rem;border-bottom:1px solid #e7e5e4}
form{display:grid;gap:.75rem;max-width:24rem;margin:1.5rem 0}label{display:grid}`
