import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { changePassword, getMe, login } from '@pegasus/contracts/auth'
import { getStlFile, listStlFiles } from '@pegasus/contracts/stl-files'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildPath, callApi, callList, connectTokenSource, findNextCursor } from './api.ts'
import { ApiError, errorDetail, NETWORK_FAILURE } from './api-error.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

let answer: RequestListener
let stop: () => Promise<void>

beforeEach(async () => {
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // In a page, addresses are relative to its origin.
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(base + path, init))
  stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  connectTokenSource({ getAccessToken: async () => 'good', renewAccessToken: async () => null })
})

afterEach(async () => {
  vi.unstubAllGlobals()
  await stop()
})

const failWith = (status: number, body: string, headers: Record<string, string> = {}): void => {
  answer = (_request, response) => response.writeHead(status, headers).end(body)
}

const failure = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

describe('callApi', () => {
  it('sends the bearer token and the body, and returns what came back', async () => {
    answer = (request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () =>
        response.end(JSON.stringify({ message: `${request.headers.authorization} ${request.url} ${body}` })),
      )
    }
    const { message } = await callApi(changePassword, { body: { new_password: 'x' } })
    expect(message).toBe('Bearer good /api/auth/change-password {"new_password":"x"}')
  })

  it('sends no token to public calls', async () => {
    answer = (request, response) =>
      response.end(JSON.stringify({ seen: request.headers.authorization ?? null }))
    const body = { username: 'a', password: 'b' }
    expect(await callApi(login, { body })).toEqual({ seen: null })
  })

  it('carries detail, code, fields, request id and waiting time of a failure', async () => {
    failWith(
      429,
      JSON.stringify({ detail: 'Wait.', code: 'x', errors: [{ path: 'a', message: 'b' }, 'not one'] }),
      { 'X-Request-Id': 'r-1', 'Retry-After': '30' },
    )
    expect(await failure(callApi(getMe))).toMatchObject({
      status: 429,
      message: 'Wait.',
      code: 'x',
      errors: [{ path: 'a', message: 'b' }],
      requestId: 'r-1',
      retryAfterSeconds: 30,
    })
  })

  it.each([['<html>Bad gateway</html>'], [''], ['null'], ['{"detail":7}']])(
    'has a sentence for an answer that is not ours: %s',
    async (body) => {
      failWith(502, body)
      const error = await failure(callApi(getMe))
      expect(error.message).toBe('The server answered 502. Please try again.')
      expect(errorDetail(error, 'Failed to upload. Please try again.')).toBe(
        'Failed to upload. Please try again.',
      )
    },
  )

  it('tells a failed connection in words of its own', async () => {
    await stop()
    const error = await failure(callApi(getMe))
    expect(error).toMatchObject({ status: 0, message: NETWORK_FAILURE })
  })

  it('lets an aborted call end as such', async () => {
    answer = () => {}
    const controller = new AbortController()
    const call = callApi(getMe, { signal: controller.signal })
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a refused token', () => {
  it('is renewed once, and the call is made again', async () => {
    answer = (request, response) => {
      const isRenewed = request.headers.authorization === 'Bearer renewed'
      response.writeHead(isRenewed ? 200 : 401).end(JSON.stringify(isRenewed ? { id: ID } : { detail: 'no' }))
    }
    const renewAccessToken = vi.fn<() => Promise<string>>(async () => 'renewed')
    connectTokenSource({ getAccessToken: async () => 'old', renewAccessToken })
    expect(await callApi(getMe)).toEqual({ id: ID })
    expect(renewAccessToken).toHaveBeenCalledExactlyOnceWith('old')
  })

  it('fails as it was refused once the session is over', async () => {
    failWith(401, '{"detail":"Your session has ended. Please sign in again."}')
    expect((await failure(callApi(getMe))).message).toBe('Your session has ended. Please sign in again.')
  })

  it('is not what a wrong current password means', async () => {
    failWith(401, '{"detail":"wrong","code":"current_password_wrong"}')
    const renewAccessToken = vi.fn<() => Promise<null>>(async () => null)
    connectTokenSource({ getAccessToken: async () => 'good', renewAccessToken })
    expect((await failure(callApi(changePassword, { body: {} }))).code).toBe('current_password_wrong')
    expect(renewAccessToken).not.toHaveBeenCalled()
  })
})

describe('callList', () => {
  it('returns the items with total and next cursor from the headers', async () => {
    failWith(200, '[{"id":"a"}]', {
      'X-Total-Count': '1000',
      'X-Total-Count-Capped': 'true',
      Link: '</api/stl-files?limit=1&cursor=n%2F1>; rel="next"',
    })
    expect(await callList(listStlFiles)).toEqual({
      items: [{ id: 'a' }],
      total: 1000,
      isTotalCapped: true,
      nextCursor: 'n/1',
    })
  })

  it('counts for itself where no header says so', async () => {
    failWith(200, '[1,2]')
    expect(await callList(listStlFiles)).toMatchObject({ total: 2, isTotalCapped: false, nextCursor: null })
  })
})

describe('addresses', () => {
  it('fill in parameters and leave out what is empty', () => {
    expect(buildPath(getStlFile, { params: { id: 'a/b' } })).toBe('/api/stl-files/a%2Fb')
    expect(buildPath(listStlFiles, { query: { search: 'a & b', tags: '', limit: undefined } })).toBe(
      '/api/stl-files?search=a+%26+b',
    )
  })

  it('find the next page among several links', () => {
    expect(findNextCursor('<https://x/?cursor=1>; rel="prev", <https://x/?cursor=2>; rel="next"')).toBe('2')
    expect(findNextCursor('<https://x/?cursor=1>; rel="prev"')).toBeNull()
  })
})

describe('errorDetail', () => {
  it('prefers the words of the server', () => {
    expect(
      errorDetail(new ApiError({ status: 401, detail: 'No.', otherwise: 'Failed.' }), 'Login failed'),
    ).toBe('No.')
    expect(errorDetail(new TypeError('x is undefined'), 'Login failed')).toBe('Login failed')
  })
})
