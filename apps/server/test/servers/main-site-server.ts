import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface SiteRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: unknown
}

export type SiteBehavior = (response: ServerResponse, request: SiteRequest) => void

/** A main site that stores products according to its contract. It can be made to fail. */
export interface TestSite {
  url: string
  requests: SiteRequest[]
  /** The products by their idempotency key. */
  products: Map<string, { id: string; slug: string; body: Record<string, unknown> }>
  /** Sets how the site responds from now on. Null means normally. */
  behave(behavior: SiteBehavior | null): void
}

export const answering =
  (status: number, body: string, headers: Record<string, string> = {}): SiteBehavior =>
  (response) =>
    void response.writeHead(status, headers).end(body)

export const json = (status: number, body: unknown): SiteBehavior =>
  answering(status, JSON.stringify(body), { 'content-type': 'application/json' })

/** Stores the product, as a site does before it responds. */
export function take(site: TestSite, request: SiteRequest): { id: string; slug: string } {
  const key = String(request.headers['idempotency-key'])
  const body = request.body as Record<string, unknown>
  const slug = String(body['slug'])
  const known = site.products.get(key)
  const product = { id: known?.id ?? `p-${site.products.size + 1}`, slug, body }
  site.products.set(key, product)
  return product
}

/** Returns the response to a request for a product by its slug, for sites that support such requests. */
export function sendProduct({ products }: TestSite, { path }: SiteRequest): SiteBehavior {
  const slug = path.split('/').at(-1) ?? ''
  // The last product under a slug is the current one, regardless of its key.
  const found = [...products.values()].findLast((product) => product.slug === slug)
  return found ? json(200, { id: found.id, ...found.body }) : json(404, { error: 'There is no such product' })
}

/** Starts a main site on this machine until the test ends. */
export async function aMainSite(): Promise<TestSite> {
  let behavior: SiteBehavior | null = null
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? null : (JSON.parse(text) as unknown),
      }
      site.requests.push(received)
      if (behavior) return behavior(response, received)
      if (received.method === 'GET') return sendProduct(site, received)(response, received)
      const { id, slug } = take(site, received)
      return json(201, { id, slug, url: `/products/${slug}` })(response, received)
    })
  })
  await once(server.listen({ host: '127.0.0.1', port: 0 }), 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const site: TestSite = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    products: new Map(),
    behave(next) {
      behavior = next
    },
  }
  return site
}
