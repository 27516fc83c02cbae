import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { TestClock } from '../../../../test/support/build-test-app.ts'
import { HOUR_MS, MINUTE_MS, addMs } from '../../clock.ts'
import { createResponseCache } from './response-cache.ts'
import type { WrittenAnswer } from '../paging.ts'
import type { Principal } from '../principal.ts'
import { createPathSigner } from '../signed-path.ts'

function known(maxBytes?: number) {
  const clock = new TestClock()
  const signer = createPathSigner({ key: randomBytes(32), clock })
  const answers = createResponseCache({ signer, clock }, maxBytes)
  const made: string[] = []
  const ask = async (databaseState: string | null, url: string, more: Partial<WrittenAnswer> = {}) => {
    const kind = databaseState === null ? 'api_key' : 'user'
    const user = { kind, databaseState } as unknown as Principal
    const answer = await answers.of({ user, request: { url } as FastifyRequest }, async () => {
      made.push(url)
      if (url === '/broken') throw new Error('lost')
      return { body: Buffer.from(`${url} ${made.length}`), tag: '"1"', ...more }
    })
    return answer.body.toString()
  }
  return { clock, made, ask }
}

it('a cached response is used until the next commit, and never for requests with an API key', async () => {
  const { made, ask } = known()
  expect([await ask('1', '/a'), await ask('1', '/a'), await ask('1', '/b')]).toEqual(['/a 1', '/a 1', '/b 2'])
  expect([await ask('2', '/a'), await ask('2', '/a')]).toEqual(['/a 3', '/a 3'])
  // A request that looked up its session before the last commit does not get the response that was cached
  // after that commit.
  expect(await ask('1', '/a')).toBe('/a 4')
  expect([await ask(null, '/a'), await ask(null, '/a')]).toEqual(['/a 5', '/a 6'])
  expect(made).toHaveLength(6)
})

it('concurrent requests for an address share one response, and a failed response is not cached', async () => {
  const { made, ask } = known()
  await Promise.all(Array.from({ length: 16 }, () => ask('1', '/a')))
  expect(made).toEqual(['/a'])
  await expect(ask('1', '/broken')).rejects.toThrow('lost')
  await expect(ask('1', '/broken')).rejects.toThrow('lost')
  expect(made).toHaveLength(3)
})

it('a response is cached until it expires, but no longer than the signed addresses in it stay the same', async () => {
  const { clock, ask } = known()
  const goodUntil = addMs(clock.now(), MINUTE_MS)
  expect([await ask('1', '/a', { goodUntil }), await ask('1', '/b')]).toEqual(['/a 1', '/b 2'])
  clock.advance(MINUTE_MS)
  expect([await ask('1', '/a'), await ask('1', '/b')]).toEqual(['/a 3', '/b 2'])
  clock.advance(HOUR_MS)
  expect(await ask('1', '/b')).toBe('/b 4')
})

it('the response cache never exceeds its size limit', async () => {
  const { made, ask } = known(12)
  for (const url of ['/a', '/b', '/c', '/a']) await ask('1', url)
  expect(made).toHaveLength(4)
})
