import type { ErrorBody } from '@pegasus/contracts/fields'
import { expect } from 'vitest'
import type { TestApp } from './build-test-app.ts'

interface PostRequest {
  url: string
  payload?: object
}

/**
 * Sends a POST request three times at the same time and once more later, with one `Idempotency-Key`, and expects one
 * response. Then sends another request with this key, and expects that it is refused. Returns the response.
 */
export async function expectOneResponse(
  app: TestApp,
  staff: Record<string, string>,
  request: PostRequest,
  other: PostRequest,
) {
  const headers = { ...staff, 'idempotency-key': `key of ${request.url}` }
  const send = ({ url, payload }: PostRequest) =>
    app.http.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
  const [first, ...others] = await Promise.all([send(request), send(request), send(request)])
  for (const answer of [...others, await send(request)])
    expect([answer.statusCode, answer.body]).toEqual([first.statusCode, first.body])
  const refused = await send(other)
  expect([refused.statusCode, refused.json<ErrorBody>().code]).toEqual([409, 'idempotency_key_reused'])
  return first
}
