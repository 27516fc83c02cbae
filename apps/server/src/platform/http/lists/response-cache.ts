import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { etagOf } from '../etag.ts'
import type { WrittenAnswer } from '../paging.ts'
import type { Principal } from '../principal.ts'
import { serializerCompiler } from '../serializer.ts'
import type { PathSigner } from '../signed-path.ts'

const MAX_BYTES = 8 * 1024 * 1024

/**
 * Caches responses for the current state of the database. Each request reads that state (`databaseState`) when it looks
 * up its session. So a cached response is never older than its request, even if another replica made a change.
 */
export interface ResponseCache<Answer extends WrittenAnswer> {
  /**
   * Returns the response for this address. `make` runs if no response is cached since the last commit, or if the
   * request has an API key. The response must depend only on the address and the database: not on the caller, and on
   * the time only through `goodUntil`.
   */
  of(call: { user: Principal; request: FastifyRequest }, make: () => Promise<Answer>): Promise<Answer>
}

/** Caches responses for one state of the database, up to `maxBytes` in total. */
export function createResponseCache<Answer extends WrittenAnswer>(
  { signer, clock }: { signer: PathSigner; clock: Clock },
  maxBytes = MAX_BYTES,
): ResponseCache<Answer> {
  let state = ''
  let answers = new Map<string, Promise<Answer>>()
  let bytes = 0

  const forgetAll = (): void => {
    answers = new Map()
    bytes = 0
  }

  const makeNew = async (url: string, make: () => Promise<Answer>): Promise<Answer> => {
    const into = answers
    const made = make()
    into.set(url, made)
    try {
      const answer = await made
      if (into === answers) bytes += answer.body.length + url.length
      if (bytes > maxBytes) forgetAll()
      return answer
    } catch (error) {
      into.delete(url)
      throw error
    }
  }

  return {
    async of({ user, request: { url } }, make) {
      if (user.kind !== 'user') return make()
      // The signed addresses in responses change each hour, so cached responses also end each hour.
      const present = `${user.databaseState} ${signer.endOfAddresses()}`
      if (present !== state) {
        forgetAll()
        state = present
      }
      const begun = answers.get(url)
      if (!begun) return makeNew(url, make)
      const known = await begun
      return !known.goodUntil || known.goodUntil > clock.now() ? known : makeNew(url, make)
    },
  }
}

const serializerOf = ({ success, method, path }: Endpoint) =>
  serializerCompiler({ schema: success.body!, method, url: path })

/** Returns a function that serializes an object with a revision by the endpoint's declared schema. */
export function createObjectWriter<T extends { revision: number }>(
  endpoint: Endpoint,
): (object: T) => WrittenAnswer {
  const write = serializerOf(endpoint)
  return (object) => ({ body: Buffer.from(write(object)), tag: etagOf(object.revision) })
}
