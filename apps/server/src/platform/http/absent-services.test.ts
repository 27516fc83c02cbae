import { request } from 'node:http'
import { expect, it } from 'vitest'
import { baseUrlOf } from '../../../test/storage/storage-client.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml', origin: 'https://shop.example' }

it('calls to the Realtime and Functions services, which the server does not have, get a JSON error instead of a page', async () => {
  const app = await buildTestApp()
  const noFunction = { code: 'NOT_FOUND', message: 'Requested function was not found' }
  const noChannel = { message: 'Realtime is not offered by this instance' }
  const calls = [
    ['GET', '/functions/v1/hello', noFunction],
    ['POST', '/functions/v1/hello', noFunction],
    ['POST', '/functions/v1/', noFunction],
    ['GET', '/functions/v1', noFunction],
    ['GET', '/realtime/v1/websocket?vsn=1.0.0', noChannel],
    ['POST', '/realtime/v1/api/broadcast', noChannel],
    ['GET', '/realtime/v1', noChannel],
  ] as const
  for (const [method, url, body] of calls) {
    const answer = await app.http.inject({ method, url, headers: BROWSER })
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 404, body])
    expect(answer.headers['access-control-allow-origin']).toBe(BROWSER.origin)
  }
  for (const url of ['/rest/v1', '/rest/v1?select=*', '/storage/v1', '/auth/v1'])
    expect([url, (await app.http.inject({ url, headers: BROWSER })).headers['content-type']]).toEqual([
      url,
      'application/json; charset=utf-8',
    ])
})

it('a websocket to the Realtime service, which the server does not have, is refused', async () => {
  const app = await buildTestApp()
  const url = `${await baseUrlOf(app)}/realtime/v1/websocket?vsn=1.0.0`
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = request(url, { headers })
    call.on('response', (response) => resolve(response.resume().statusCode))
    call.on('upgrade', () => resolve(101))
    call.on('error', reject)
    call.end()
  })
  expect(status).toBe(404)
})
