import { hash } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../clock.ts'
import { AppError } from '../../errors/app-error.ts'
import { FifoCache } from '../../fifo-cache.ts'
import type { Guard } from '../endpoints.ts'

/** Pictures and the parts of pages come in bursts and are cheap: so many times what calls may. */
const CHEAP_FACTOR = 10
/** Tokens that were good lately, so that strangers at the same address do not lock them out. */
const MAX_REMEMBERED = 5000

const addressOf = (request: FastifyRequest): string =>
  // A socket that is gone already has none.
  normalizeIP((request.ip as string | undefined) ?? '')

const isCheap = (request: FastifyRequest): boolean => {
  const { endpoint } = request.routeOptions.config
  return endpoint === undefined || endpoint.isSignable === true
}

const tooMany = (): AppError => new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 })

/** Counts by key within seconds that are the same for all keys, so that nothing of a second is kept after it. */
class Counter {
  readonly #max: number
  #counts = new Map<string, number>()
  #endsAt = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Counts one more; answers whether that is too many. */
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
  /** The guard, with what it refuses counted at the caller's address, and asked no more where that is flooding. */
  watch(guard: Guard): Guard
}

/**
 * Limits requests by session, and by address (of IPv6 its /64) those that have none: calls without one, refused
 * ones, and ten times as many for pictures and the parts of pages. A session that was good before goes on working
 * at an address that floods.
 */
export function limitFloods(http: FastifyInstance, perSecond: number): FloodLimit {
  const sessions = new Counter(perSecond)
  const strangers = new Counter(perSecond)
  const cheap = new Counter(perSecond * CHEAP_FACTOR)
  const goodTokens = new FifoCache<true>(MAX_REMEMBERED)

  http.addHook('onRequest', async (request) => {
    if (isCheap(request) && cheap.isOneTooMany(addressOf(request))) throw tooMany()
  })
  // After the guard, so that a session is known, and before the body is read.
  http.addHook('preParsing', async (request) => {
    if (isCheap(request)) return
    const { principal } = request
    const isFlood = principal
      ? sessions.isOneTooMany(principal.kind === 'user' ? principal.sessionId : principal.keyId)
      : strangers.isOneTooMany(addressOf(request))
    if (isFlood) throw tooMany()
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
        // What is no refusal is our own failure, such as a database that is away, and nobody's guilt.
        const isRefused = error instanceof AppError
        throw isRefused && strangers.isOneTooMany(addressOf(request)) ? tooMany() : error
      }
    },
  }
}
