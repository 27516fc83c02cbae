import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'

it('a server without a built web app shows the build command in the log and to browsers', async () => {
  let logged = ''
  const app = await buildTestApp({ logTo: { write: (line) => void (logged += line) } })
  const answer = await app.http.inject('/orders')
  expect(answer.statusCode).toBe(404)
  expect(answer.json<{ detail: string }>().detail).toContain('run "npm start"')
  expect(logged).toContain('The web app has not been built')
  expect((await app.http.inject('/api/nothing')).json<{ detail: string }>().detail).not.toContain('npm')
})

it('the page is compressed for browsers that accept it, with a nonce for each response', async () => {
  const page = `<html><head></head><body nonce="__CSP_NONCE__">${'text '.repeat(1000)}</body></html>`
  const app = await buildTestApp({ page })
  const read = async (accepted: string) => {
    const { headers, rawPayload } = await app.http.inject({
      url: '/orders',
      headers: { 'accept-encoding': accepted },
    })
    const encoding = headers['content-encoding']
    const bytes =
      encoding === 'br'
        ? brotliDecompressSync(rawPayload)
        : encoding === 'gzip'
          ? gunzipSync(rawPayload)
          : rawPayload
    const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? ''
    expect(bytes.toString()).toBe(page.replace('__CSP_NONCE__', nonce))
    return { encoding, vary: headers['vary'], isSmall: rawPayload.length < 500, nonce }
  }
  const answers = [
    await read('gzip, deflate, br'),
    await read('gzip'),
    await read('br;q=0, identity'),
    await read(''),
  ]
  expect(answers.map(({ encoding, vary, isSmall }) => ({ encoding, vary, isSmall }))).toEqual([
    { encoding: 'br', vary: 'Accept-Encoding', isSmall: true },
    { encoding: 'gzip', vary: 'Accept-Encoding', isSmall: true },
    { encoding: undefined, vary: 'Accept-Encoding', isSmall: false },
    { encoding: undefined, vary: 'Accept-Encoding', isSmall: false },
  ])
  expect(new Set(answers.map(({ nonce }) => nonce)).size).toBe(answers.length)
})
