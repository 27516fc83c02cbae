import { hash } from 'node:crypto'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { etagOf } from './etag.ts'
import { type Page, type WrittenAnswer, type WrittenPage, encodeCursor } from './paging.ts'
import type { Principal } from './principal.ts'
import { serializerCompiler } from './serializer.ts'
import type { PathSigner } from './signed-path.ts'

const MAX_BYTES = 8 * 1024 * 1024

/**
 * Answers that were given in the present state of the database. Which state that is, the look-up of the session says with each
 * request (`databaseState`), so an answer is never older than its request, whichever replica made a change.
 */
export interface KnownAnswers<Answer extends WrittenAnswer> {
  /**
   * The answer of this address. `make` runs if nobody asked for it since anything was committed, or if a program asks with an
   * API key. Use it only where the answer depends on nothing but the address and the database: not on the caller, and on the
   * time only through `goodUntil`.
   */
  of(call: { user: Principal; request: FastifyRequest }, make: () => Promise<Answer>): Promise<Answer>
}

/** Keeps answers of one state of the database, up to `maxBytes` of them. */
export function createKnownAnswers<Answer extends WrittenAnswer>(
  { signer, clock }: { signer: PathSigner; clock: Clock },
  maxBytes = MAX_BYTES,
): KnownAnswers<Answer> {
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
      // Addresses in an answer are signed again each hour.
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

/** Writes the pages of an endpoint as its answers are written: by its declared schema. */
export function createPageWriter<Item>(endpoint: Endpoint): (page: Page<Item>) => WrittenPage {
  const write = serializerOf(endpoint)
  return ({ items, next, total }) => {
    const body = Buffer.from(write(items))
    const tag = `"${hash('sha256', body, 'base64url')}"`
    return { body, tag, next: next && encodeCursor(next), total }
  }
}

/** The same for an object with a revision. */
export function createObjectWriter<T extends { revision: number }>(
  endpoint: Endpoint,
): (object: T) => WrittenAnswer {
  const write = serializerOf(endpoint)
  return (object) => ({ body: Buffer.from(write(object)), tag: etagOf(object.revision) })
}
