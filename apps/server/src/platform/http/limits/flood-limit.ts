import { hash } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../clock.ts'
import { AppError } from '../../errors/app-error.ts'
import { FifoCache } from '../../fifo-cache.ts'
import type { Guard } from '../endpoints.ts'

/** Pictures and parts of pages come in bursts and are cheap: this many times the limit of calls. */
const CHEAP_FACTOR = 10
/** Recently valid tokens, so that strangers at the same address cannot lock them out. */
const MAX_REMEMBERED = 5000

const addressOf = (request: FastifyRequest): string =>
  // A closed socket has no address.
  normalizeIP((request.ip as string | undefined) ?? '')

const isCheap = (request: FastifyRequest): boolean => {
  const { endpoint, isCounted } = request.routeOptions.config
  return endpoint === undefined ? isCounted !== true : endpoint.isSignable === true
}

const tooMany = (): AppError => new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 })

/** Counts by key, within seconds common to all keys, so that nothing is kept after its second. */
class Counter {
  readonly #max: number
  #counts = new Map<string, number>()
  #endsAt = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Counts one request; returns whether that is too many. */
  isOneTooMany(key: string): boolean {
    const count = this.#countOf(key) + 1
    this.#counts.set(key, count)
    return count > this.#max
  }

  /** Whether one more would be too many. */
  isFull(key: string): boolean {
    return this.#countOf(key) >= this.#max
  }

  #countOf(key: string): number {
    const now = performance.now()
    if (now >= this.#endsAt) {
      this.#endsAt = now + SECOND_MS
      this.#counts = new Map()
    }
    return this.#counts.get(key) ?? 0
  }
}

export interface FloodLimit {
  /**
   * The guard, extended: refused requests count at the caller's address, and a flooding address is refused without
   * asking it.
   */
  watch(guard: Guard): Guard
}

/**
 * Limits requests per second. Requests with a session are counted by session. Requests without a session, and refused
 * requests, are counted by address (IPv6: by its /64). Pictures and parts of pages have ten times the limit. A known
 * session keeps working at a flooding address.
 */
export function limitFloods(http: FastifyInstance, perSecond: number): FloodLimit {
  const sessions = new Counter(perSecond)
  const strangers = new Counter(perSecond)
  const cheap = new Counter(perSecond * CHEAP_FACTOR)
  const goodTokens = new FifoCache<true>(MAX_REMEMBERED)

  http.addHook('onRequest', (request, _reply, done) => {
    done(isCheap(request) && cheap.isOneTooMany(addressOf(request)) ? tooMany() : undefined)
  })
  // After the guard, so that the session is known, and before the body is read.
  http.addHook('preParsing', (request, _reply, payload, done) => {
    const { principal } = request
    const isFlood =
      !isCheap(request) &&
      (principal
        ? sessions.isOneTooMany(principal.kind === 'user' ? principal.sessionId : principal.keyId)
        : strangers.isOneTooMany(addressOf(request)))
    done(isFlood ? tooMany() : null, payload)
  })

  return {
    watch: (guard) => async (request, endpoint) => {
      if (endpoint.access === 'public') return guard(request, endpoint)
      const { authorization, 'x-api-key': apiKey } = request.headers
      const token = hash('sha256', authorization ?? String(apiKey ?? ''), 'base64')
      if (!goodTokens.get(token) && strangers.isFull(addressOf(request))) throw tooMany()
      try {
        const principal = await guard(request, endpoint)
        if (principal) goodTokens.set(token, true)
        return principal
      } catch (error) {
        // Anything but a refusal is our own failure, such as an unreachable database, and does not count.
        const isRefused = error instanceof AppError
        throw isRefused && strangers.isOneTooMany(addressOf(request)) ? tooMany() : error
      }
    },
  }
}
