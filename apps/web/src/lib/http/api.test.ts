import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StorageClient } from '@supabase/storage-js'
import { getMe, login } from '@pegasus/contracts/auth/sign-in'
import { changePassword } from '@pegasus/contracts/auth/passwords'
import { getModel } from '@pegasus/contracts/stl-library/models'
import { listModels } from '@pegasus/contracts/stl-library/search'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildPath, callApi, callList, connectTokenSource, findNextCursor } from './api.ts'
import { ApiError, errorDetail, NETWORK_FAILURE, STRANGE_ANSWER, withReadableMessage } from './api-error.ts'
import { connectIdentityCheck, NOT_PROVEN } from '../session/reauthentication.ts'

/** Waits until the check passes. The limit is high, because the machine may be busy. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000 })

const ID = '0198c0de-0000-7000-8000-000000000001'

const tokenSource = {
  getAccessToken: async () => 'good',
  renewAccessToken: async () => null,
  onSecondFactorWanted: () => {},
}

let answer: RequestListener
let stop: () => Promise<void>

beforeEach(async () => {
  // On a busy machine, Node's limit of 5 s would close connections between two calls of a test.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // In a page, `fetch` resolves paths against the origin. Node has no origin.
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(base + path, init))
  stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  connectTokenSource(tokenSource)
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
  it('callApi sends the bearer token and the body, and returns the response', async () => {
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

  it('callApi sends no token with calls to public endpoints', async () => {
    answer = (request, response) =>
      response.end(JSON.stringify({ seen: request.headers.authorization ?? null }))
    const body = { username: 'a', password: 'b' }
    expect(await callApi(login, { body })).toEqual({ seen: null })
  })

  it('the error of callApi contains the detail, code, fields, request ID and retry time of the response', async () => {
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
    'callApi returns a readable message for an unexpected error body: %s',
    async (body) => {
      failWith(502, body)
      const error = await failure(callApi(getMe))
      expect(error.message).toBe('The server responded with 502. Please try again.')
      expect(errorDetail(error, 'Failed to upload. Please try again.')).toBe(
        'Failed to upload. Please try again.',
      )
    },
  )

  it('callApi returns its own message if the connection fails', async () => {
    await stop()
    const error = await failure(callApi(getMe))
    expect(error).toMatchObject({ status: 0, message: NETWORK_FAILURE })
  })

  it.each([[200], [500]])(
    'callApi reports a failed connection if the connection breaks during a response with status %d',
    async (status) => {
      answer = (_request, response) => {
        response.writeHead(status, { 'content-length': '100' }).write('{"id":')
        setImmediate(() => response.destroy())
      }
      expect(await failure(callApi(getMe))).toMatchObject({ status: 0, message: NETWORK_FAILURE })
    },
  )

  it('callApi does not accept the login page of a guest network as a response', async () => {
    failWith(200, '<html>Welcome to our Wi-Fi</html>', { 'content-type': 'text/html' })
    const error = await failure(callApi(getMe))
    expect(error).toMatchObject({ status: 200, detail: null, message: STRANGE_ANSWER })
  })

  it('callApi rejects with AbortError when the caller aborts', async () => {
    answer = () => {}
    const controller = new AbortController()
    const call = callApi(getMe, { signal: controller.signal })
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a refused access token', () => {
  it('callApi renews a refused access token once, and repeats the call', async () => {
    answer = (request, response) => {
      const isRenewed = request.headers.authorization === 'Bearer renewed'
      response.writeHead(isRenewed ? 200 : 401).end(JSON.stringify(isRenewed ? { id: ID } : { detail: 'no' }))
    }
    const renewAccessToken = vi.fn<() => Promise<string>>(async () => 'renewed')
    connectTokenSource({ ...tokenSource, getAccessToken: async () => 'old', renewAccessToken })
    expect(await callApi(getMe)).toEqual({ id: ID })
    expect(renewAccessToken).toHaveBeenCalledExactlyOnceWith('old')
  })

  it('a call without an access token that gets a 401 also requests a renewal, so that an ended session is noticed', async () => {
    failWith(401, '{"detail":"Sign in to continue."}')
    const renewAccessToken = vi.fn<() => Promise<null>>(async () => null)
    connectTokenSource({ ...tokenSource, getAccessToken: async () => null, renewAccessToken })
    expect((await failure(callApi(getMe))).status).toBe(401)
    expect(renewAccessToken).toHaveBeenCalledExactlyOnceWith(null)
  })

  it("a call with a refused access token fails with the server's error if the session is over", async () => {
    failWith(401, '{"detail":"Your session has ended. Please sign in again."}')
    expect((await failure(callApi(getMe))).message).toBe('Your session has ended. Please sign in again.')
  })

  it('callApi distinguishes a refused access token from a wrong current password', async () => {
    failWith(401, '{"detail":"wrong","code":"current_password_wrong"}')
    const renewAccessToken = vi.fn<() => Promise<null>>(async () => null)
    connectTokenSource({ ...tokenSource, renewAccessToken })
    expect((await failure(callApi(changePassword, { body: {} }))).code).toBe('current_password_wrong')
    expect(renewAccessToken).not.toHaveBeenCalled()
  })
})

describe('a call that needs a recent sign-in', () => {
  const REFUSAL = { detail: 'Confirm your password to continue.', code: 'reauthentication_required' }
  /** State of the simulated server: whether the session has signed in recently, and the requests so far. */
  let isRecent: boolean
  let requests: string[]
  let disconnect: () => void

  beforeEach(() => {
    isRecent = false
    requests = []
    disconnect = () => {}
    answer = (request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        requests.push(`${request.method} ${request.url} ${body}`)
        const isSensitive = request.url === '/api/auth/change-password'
        if (isSensitive && !isRecent) response.writeHead(403).end(JSON.stringify(REFUSAL))
        else response.end(JSON.stringify({ message: 'done' }))
      })
    }
  })

  afterEach(() => disconnect())

  /** Simulates a person who is asked to confirm their identity, and records each question. */
  function askPerson() {
    const questions: ((isProven: boolean) => void)[] = []
    disconnect = connectIdentityCheck(() => new Promise((resolve) => questions.push(resolve)))
    return {
      questions,
      answer: async (isProven: boolean) => {
        await until(() => expect(questions.length).toBeGreaterThan(0))
        isRecent = isProven
        questions.at(-1)?.(isProven)
      },
    }
  }

  const change = (password: string) => callApi(changePassword, { body: { new_password: password } })

  it('callApi asks for a recent sign-in if the server requires one, and repeats the call unchanged', async () => {
    const person = askPerson()
    const call = change('x')
    await person.answer(true)
    expect(await call).toEqual({ message: 'done' })
    expect(person.questions).toHaveLength(1)
    expect(requests).toEqual(Array(2).fill('POST /api/auth/change-password {"new_password":"x"}'))
  })

  it('the user is asked only once for several simultaneous calls that need a recent sign-in', async () => {
    const person = askPerson()
    const calls = Promise.all([change('a'), change('b'), change('c')])
    await until(() => expect(requests).toHaveLength(3))
    await person.answer(true)
    await calls
    expect(person.questions).toHaveLength(1)
    expect(requests).toHaveLength(6)
  })

  it('callApi reports that nothing was changed if the user cancels the confirmation, and asks again at the next call', async () => {
    // The second call may be refused only after the first question is over. Then it asks a question of its own.
    disconnect = connectIdentityCheck(async () => false)
    for (const error of await Promise.all([failure(change('a')), failure(change('b'))]))
      expect(error).toMatchObject({ status: 403, detail: NOT_PROVEN, code: REFUSAL.code })
    const person = askPerson()
    const later = change('c')
    await person.answer(true)
    expect(await later).toEqual({ message: 'done' })
  })

  it('the user is not asked again if a call sent before the confirmation is refused after it', async () => {
    const person = askPerson()
    let letGo = (): void => {}
    const sent = new Promise<void>((resolve) => (letGo = resolve))
    const answerAtOnce = answer
    answer = (request, response) => {
      if (requests.length !== 1) return answerAtOnce(request, response)
      // The second call is refused too, but its 403 is held back until the test releases it.
      requests.push('slow')
      void sent.then(() => response.writeHead(403).end(JSON.stringify(REFUSAL)))
    }
    const quick = change('quick')
    await until(() => expect(requests).toHaveLength(1))
    const slow = change('slow')
    await until(() => expect(requests).toHaveLength(2))
    await person.answer(true)
    await quick
    letGo()
    expect(await slow).toEqual({ message: 'done' })
    expect(person.questions).toHaveLength(1)
  })

  it('a call that needs a recent sign-in is repeated only once', async () => {
    const person = askPerson()
    const call = change('x')
    await until(() => expect(person.questions).toHaveLength(1))
    // The person confirms, but the server refuses the call again.
    person.questions[0]?.(true)
    expect((await failure(call)).code).toBe('reauthentication_required')
    expect(requests).toHaveLength(2)
  })

  it("a call that needs a recent sign-in fails with the server's error if no user can be asked", async () => {
    expect((await failure(change('x'))).code).toBe('reauthentication_required')
    expect(requests).toHaveLength(1)
  })

  it('a call that needs a recent sign-in can be aborted by its caller, whatever the user answers', async () => {
    const person = askPerson()
    const controller = new AbortController()
    const call = callApi(changePassword, { body: {}, signal: controller.signal })
    await until(() => expect(person.questions).toHaveLength(1))
    controller.abort()
    await person.answer(true)
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(requests).toHaveLength(1)
  })
})

describe('calls without the second factor', () => {
  it("callApi reports a missing second factor to the session, and throws the server's error", async () => {
    failWith(403, '{"detail":"Enter a code.","code":"insufficient_aal"}')
    const onSecondFactorWanted = vi.fn<() => void>()
    connectTokenSource({ ...tokenSource, onSecondFactorWanted })
    expect((await failure(callApi(getMe))).code).toBe('insufficient_aal')
    expect(onSecondFactorWanted).toHaveBeenCalledOnce()
  })
})

describe('callList', () => {
  it('callList returns the items with total and next cursor from the headers', async () => {
    failWith(200, '[{"id":"a"}]', {
      'X-Total-Count': '1000',
      'X-Total-Count-Capped': 'true',
      Link: '</api/stl-files?limit=1&cursor=n%2F1>; rel="next"',
    })
    expect(await callList(listModels)).toEqual({
      items: [{ id: 'a' }],
      total: 1000,
      isTotalCapped: true,
      nextCursor: 'n/1',
    })
  })

  it('callList counts the items itself if no header contains the total', async () => {
    failWith(200, '[1,2]')
    expect(await callList(listModels)).toMatchObject({ total: 2, isTotalCapped: false, nextCursor: null })
  })
})

describe('paths and cursors of calls', () => {
  it('buildPath fills the parameters into the path, and leaves out empty query values', () => {
    expect(buildPath(getModel, { params: { id: 'a/b' } })).toBe('/api/stl-files/a%2Fb')
    expect(buildPath(listModels, { query: { search: 'a & b', tags: '', limit: undefined } })).toBe(
      '/api/stl-files?search=a+%26+b',
    )
  })

  it('findNextCursor finds the next page in a Link header with several links', () => {
    expect(findNextCursor('<https://x/?cursor=1>; rel="prev", <https://x/?cursor=2>; rel="next"')).toBe('2')
    expect(findNextCursor('<https://x/?cursor=1>; rel="prev"')).toBeNull()
  })
})

describe('errorDetail', () => {
  it("errorDetail prefers the server's message", () => {
    expect(
      errorDetail(new ApiError({ status: 401, detail: 'No.', otherwise: 'Failed.' }), 'Login failed'),
    ).toBe('No.')
    expect(errorDetail(new TypeError('x is undefined'), 'Login failed')).toBe('Login failed')
  })
})

describe('withReadableMessage', () => {
  it.each([
    [502, '<html><h1>Bad Gateway</h1></html>', 'The server responded with 502. Please try again.'],
    [500, '', 'The server responded with 500. Please try again.'],
    [500, '{}', 'The server responded with 500. Please try again.'],
    [500, '{"message":""}', 'The server responded with 500. Please try again.'],
    [429, '{"detail":"Too many requests."}', 'Too many requests.'],
    [413, '{"statusCode":"413","error":"Payload too large","message":"Too large."}', 'Too large.'],
    [403, '{"error":"Not allowed."}', 'Not allowed.'],
  ])("the storage client's error message for status %d and body %s is %s", async (status, body, message) => {
    failWith(status, body)
    const client = new StorageClient('http://localhost/storage/v1', {}, async (address, init = {}) =>
      withReadableMessage(await fetch(new URL(new Request(address).url).pathname, init)),
    )
    const { error } = await client.from('product-images').upload('images/products/a.jpg', 'x')
    expect(error?.message).toBe(message)
  })
})
