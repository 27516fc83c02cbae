import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { aMainSite, answering, json, type SiteBehavior } from '../../../../test/servers/main-site-server.ts'
import { OTHER_PRODUCT } from './main-site-answer.ts'
import { createPegasusSite } from './pegasus-site.ts'
import { createSiteCalls } from './site-calls.ts'

const KEY = 'site-key/01234"56789'

/** Returns a port on which no program listens. */
async function aClosedPort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Creates calls that send the key to a site. */
const callsTo = (url: string) => createSiteCalls({ url, headers: { 'X-Shop-Admin': KEY }, secrets: [KEY] })

const aHelper = (url: string, timeoutMs = 5000) =>
  createPegasusSite({ url, adminKey: KEY, adminHeader: 'X-Shop-Admin', webhookSecret: null, timeoutMs })

describe('calls to the main site', () => {
  it('a call to the main site sends JSON with the key in its header, and reads a JSON or text response', async () => {
    const site = await aMainSite()
    const helper = callsTo(site.url)
    site.behave(json(200, { a: 1 }))
    expect(
      await helper.call({ method: 'PUT', path: '/api/anything?x=1', body: { b: 2 }, idempotencyKey: 'k' }),
    ).toMatchObject({
      ok: true,
      status: 200,
      body: { a: 1 },
    })
    expect(site.requests[0]).toMatchObject({
      method: 'PUT',
      path: '/api/anything?x=1',
      body: { b: 2 },
      headers: { 'x-shop-admin': KEY, 'content-type': 'application/json', 'idempotency-key': 'k' },
    })
    site.behave(answering(200, 'pong'))
    expect(await helper.call({ method: 'GET', path: '/ping' })).toMatchObject({ ok: true, body: 'pong' })
  })

  it.each<[string, SiteBehavior, string]>([
    ['its message field', json(422, { message: 'Slug taken', error: 'Unprocessable' }), 'Slug taken'],
    ['its error field', json(409, { error: 'duplicate slug' }), 'duplicate slug'],
    ['a message within its error', json(400, { error: { message: 'No such category' } }), 'No such category'],
    ['the text', answering(503, ' Down for\u0007 maintenance\n'), 'Down for maintenance'],
    ['other JSON as it stands', answering(400, '{"errors": ["a"],"n":1.0}'), '{"errors": ["a"],"n":1.0}'],
    ['a number as it stands', answering(400, '1.50'), '1.50'],
    [
      'JSON that calls itself a page',
      answering(400, '{"message":"Slug taken"}', { 'content-type': 'text/html; charset=UTF-8' }),
      'Slug taken',
    ],
    ['JSON behind a byte order mark', answering(400, '\ufeff{"error":"Slug taken"}'), 'Slug taken'],
    [
      'a page whose script never ends',
      answering(500, '<body>Oops <b>twice</b><script>end()<style>x</style> then', {
        'content-type': 'text/html',
      }),
      'Oops twice end() then',
    ],
    [
      'the words of a page',
      answering(
        500,
        '<html><head><title>x</title></head><body><h1>Oops</h1><script>alert(1)</script></body></html>',
        { 'content-type': 'text/html' },
      ),
      'Oops',
    ],
    ['its status', answering(502, ''), 'HTTP 502: Bad Gateway'],
    ['at most 500 characters', answering(400, 'x'.repeat(2000)), 'x'.repeat(500)],
    ['without the key that it was sent', json(401, { error: `wrong key ${KEY}` }), 'wrong key •••'],
  ])('a refusal is reported in the words of the main site: %s', async (_, behavior, message) => {
    const site = await aMainSite()
    site.behave(behavior)
    const outcome = await aHelper(site.url).publish({ slug: 'a' }, 'k')
    expect(outcome).toMatchObject({ ok: false, message })
  })

  it('T106 an error page of 1 MB is read within two seconds, even if it is built to be slow to read', async () => {
    const site = await aMainSite()
    const pages = ['<', '<script', '<script>', '</script ', '<head><style>', '<!--'].map(
      (piece) => `<html>${piece.repeat(Math.floor(1_000_000 / piece.length))}`,
    )
    let longestMs = 0
    for (const page of pages) {
      site.behave(answering(500, page, { 'content-type': 'text/html' }))
      const begunAt = performance.now()
      expect(await aHelper(site.url).publish({ slug: 'a' }, 'k')).toMatchObject({ ok: false, status: 500 })
      longestMs = Math.max(longestMs, performance.now() - begunAt)
    }
    console.info(`T106 a page of 1 MB from the main site took ${Math.round(longestMs)} ms at most`)
    expect(longestMs).toBeLessThan(2000)
  })

  it('a product is accepted even if the main site labels its JSON response as a web page', async () => {
    const site = await aMainSite()
    site.behave(answering(201, '{"id":7,"slug":"a"}', { 'content-type': 'text/html' }))
    expect(await aHelper(site.url).publish({ slug: 'a' }, 'k')).toEqual({
      ok: true,
      status: 201,
      id: '7',
      url: null,
    })
  })

  it.each<[string, SiteBehavior, string]>([
    [
      'a web page with 200',
      answering(200, '<!doctype html><body>Please sign in</body>', { 'content-type': 'text/html' }),
      'The main site returned a web page instead of accepting the product. Please sign in',
    ],
    [
      'a page that says it is JSON',
      answering(200, '<html>hi</html>', { 'content-type': 'application/json' }),
      'web page',
    ],
    ['success that is none', json(200, { success: false, message: 'no stock' }), 'no stock'],
    ['an error beside the product', json(200, { id: 7, slug: 'a', error: 'no stock' }), 'no stock'],
    [
      'a list of errors',
      json(200, { product: { id: 7, slug: 'a', errors: ['no stock'] } }),
      'did not accept',
    ],
    ['another product', json(200, { id: 7, slug: 'b' }), OTHER_PRODUCT],
    ['a product without an id', json(200, { slug: 'a', id: ' ' }), OTHER_PRODUCT],
    ['a list', json(200, [{ id: 7, slug: 'a' }]), OTHER_PRODUCT],
    ['plain text', answering(200, 'created'), OTHER_PRODUCT],
    ['an empty body', answering(200, ''), OTHER_PRODUCT],
    ['no content', answering(204, ''), OTHER_PRODUCT],
    [
      'a redirect within that makes a GET of it',
      answering(302, '', { location: '/login' }),
      'redirects (HTTP 302)',
    ],
    ['a redirect to nowhere', answering(307, ''), 'redirects to nowhere'],
    ['redirects without end', answering(308, '', { location: '/again' }), 'more than 3 times'],
    [
      'an answer that breaks off',
      (response) => {
        response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' })
        response.write('{"id":')
        setImmediate(() => response.destroy())
      },
      'was interrupted',
    ],
    ['no answer', (response) => void response.destroy(), 'was interrupted'],
    ['too long an answer', answering(200, 'x'.repeat(2_000_000)), 'too long'],
  ])('a product counts as not accepted if the main site responds with %s', async (_, behavior, message) => {
    const site = await aMainSite()
    site.behave(behavior)
    expect(await aHelper(site.url).publish({ slug: 'a' }, 'k')).toMatchObject({
      ok: false,
      message: expect.stringContaining(message),
    })
  })

  it('a call to the main site can time out before and during the response', async () => {
    const site = await aMainSite()
    const behaviors: SiteBehavior[] = [
      () => undefined,
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ]
    for (const behavior of behaviors) {
      site.behave(behavior)
      expect(await aHelper(site.url, 300).publish({ slug: 'a' }, 'k')).toEqual({
        ok: false,
        status: null,
        message: 'The main site did not respond within 0.3 seconds.',
      })
    }
    // The time that was spent before the call counts toward its time limit.
    site.behave(() => undefined)
    const begunAt = performance.now()
    expect(await aHelper(site.url, 5000).publish({ slug: 'a' }, 'k', 4800)).toMatchObject({
      message: 'The main site did not respond within 0.2 seconds.',
    })
    expect(performance.now() - begunAt).toBeLessThan(4000)
    const closed = await aClosedPort()
    expect(await aHelper(`http://127.0.0.1:${closed}`).publish({ slug: 'a' }, 'k')).toMatchObject({
      message: 'The main site cannot be reached: no program listens at its address.',
      isUnsent: true,
    })
  })

  it('T106 the key of the main site is sent to no other host, because a redirect to another host is not followed', async () => {
    const [site, stranger] = [await aMainSite(), await aMainSite()]
    const statuses = [301, 302, 303, 307, 308]
    const locations = [
      stranger.url,
      `${stranger.url}/api/admin/products`,
      `//127.0.0.1:${new URL(stranger.url).port}/x`,
    ]
    for (const status of statuses)
      for (const location of locations) {
        site.behave(answering(status, '', { location }))
        expect(await aHelper(site.url).publish({ slug: 'a' }, 'k')).toMatchObject({
          ok: false,
          message: expect.stringContaining(`redirects to ${stranger.url}`),
        })
      }
    console.info(
      `T106 keys that left with a redirect ${stranger.requests.length} of ${statuses.length * locations.length}`,
    )
    expect(stranger.requests).toEqual([])
  })

  it('T106 the key of the main site is masked in every response that repeats it, even if the text is cut', async () => {
    const site = await aMainSite()
    let found = 0
    const places: [SiteBehavior, string][] = [
      [json(401, { error: `${'x'.repeat(490)}${KEY}` }), 'a cut message'],
      [answering(401, `${'x'.repeat(495)}${KEY}`), 'a cut text'],
      [answering(200, `<html>${'x'.repeat(430)}${KEY}`, { 'content-type': 'text/html' }), 'a cut page'],
      [json(201, { id: KEY, url: `/p?key=${KEY}` }), 'the product'],
      [json(400, { echo: KEY }), 'other JSON'],
      [answering(400, JSON.stringify({ echo: KEY }).replaceAll('/', '\\/')), 'JSON with escapes'],
      [answering(400, `/p?key=${encodeURIComponent(KEY)}`), 'an address'],
    ]
    for (const [behavior, place] of places) {
      site.behave(behavior)
      const text = JSON.stringify(await aHelper(site.url).publish({ slug: 'a' }, 'k'))
      if (text.includes(KEY.slice(0, 5))) found += 1
      expect([place, text]).toEqual([place, expect.not.stringContaining(KEY.slice(0, 5))])
    }
    console.info(`T106 answers that told a part of the key ${found} of ${places.length}`)
  })

  it('a look-up of a product on the main site accepts a product in any common wrapper, and classifies all other responses', async () => {
    const site = await aMainSite()
    const fields = { id: 4, slug: 'dragon', price: 5, url: '/p/dragon' }
    for (const body of [fields, { product: fields }, { data: fields }]) {
      site.behave(json(200, body))
      expect(await aHelper(site.url).look('dragon')).toEqual({
        kind: 'found',
        status: 200,
        id: '4',
        url: `${site.url}/p/dragon`,
        fields,
      })
    }
    const others: [SiteBehavior, object][] = [
      [json(200, { ...fields, slug: 'other' }), { kind: 'unclear', isAway: false }],
      [json(200, [fields]), { kind: 'unclear', isAway: false }],
      [json(404, fields), { kind: 'missing', isCertain: false }],
      [json(410, fields), { kind: 'missing', isCertain: true }],
      [answering(200, '<html>dragon</html>', { 'content-type': 'text/html' }), { kind: 'unclear' }],
      [json(401, { error: 'wrong key' }), { kind: 'unclear', message: 'wrong key', isAway: false }],
      [json(429, { error: 'slowly' }), { kind: 'unclear', message: 'slowly', isAway: true }],
      [(response) => void response.destroy(), { kind: 'unclear', isAway: true }],
    ]
    for (const [behavior, look] of others) {
      site.behave(behavior)
      expect(await aHelper(site.url).look('dragon')).toMatchObject(look)
    }
  })

  it('a call to the main site follows a redirect within the site with the same method, body and key', async () => {
    const site = await aMainSite()
    site.behave((response, request) =>
      request.path === '/moved'
        ? json(201, { product: { id: 7, slug: 'a', url: 'https://shop.example/p/7' } })(response, request)
        : answering(308, '', { location: '/moved' })(response, request),
    )
    expect(await aHelper(site.url).publish({ slug: 'a' }, 'k')).toEqual({
      ok: true,
      status: 201,
      id: '7',
      url: 'https://shop.example/p/7',
    })
    expect(site.requests[1]).toMatchObject({
      method: 'POST',
      body: { slug: 'a' },
      headers: { 'x-shop-admin': KEY },
    })
    site.behave(json(201, { id: 'x', slug: 'a', url: 'javascript:alert(1)' }))
    expect(await aHelper(site.url).publish({ slug: 'a' }, 'k')).toMatchObject({
      ok: true,
      id: 'x',
      url: null,
    })
  })
})
