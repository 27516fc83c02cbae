import { afterEach, expect, it } from 'vitest'
import { takeEarlyAnswer } from './early-calls.ts'

const PATH = '/api/auth/me'
const begin = (call: { token?: string | null; answer?: Promise<Response>; ageMs?: number }) => {
  const { token = 'good', answer = Promise.resolve(new Response('early')), ageMs = 0 } = call
  answer.catch(() => undefined)
  globalThis.pegasusEarlyCalls = { [PATH]: { token, answer, begunAt: Date.now() - ageMs } }
}

afterEach(() => {
  globalThis.pegasusEarlyCalls = undefined
})

it('an early response is used only once', async () => {
  begin({})
  expect(await (await takeEarlyAnswer(PATH, 'good'))?.text()).toBe('early')
  expect(await takeEarlyAnswer(PATH, 'good')).toBeNull()
})

it('an early response is not used with another token or URL, after ten seconds, or after a failure', async () => {
  begin({ token: 'of somebody else' })
  expect(await takeEarlyAnswer(PATH, 'good')).toBeNull()
  begin({ ageMs: 11_000 })
  expect(await takeEarlyAnswer(PATH, 'good')).toBeNull()
  begin({})
  expect(await takeEarlyAnswer('/api/stats', 'good')).toBeNull()
  begin({ answer: Promise.reject(new TypeError('network')) })
  expect(await takeEarlyAnswer(PATH, 'good')).toBeNull()
  globalThis.pegasusEarlyCalls = undefined
  expect(await takeEarlyAnswer(PATH, 'good')).toBeNull()
})
