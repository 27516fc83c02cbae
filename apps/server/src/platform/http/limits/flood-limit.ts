import { hash } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../clock.ts'
import { AppError } from '../../errors/app-error.ts'
import { FifoCache } from '../../fifo-cache.ts'
import type { Guard } from '../endpoints.ts'

/**
 * The factor between the limit for calls and the limit for pictures and parts of pages, which are cheap and come in
 * bursts.
 */
const CHEAP_FACTOR = 10
/**
 * How many recently valid tokens are remembered. Their sessions keep working if strangers at the same address send a
 * flood.
 */
const MAX_REMEMBERED = 5000

const addressOf = (request: FastifyRequest): string =>
  // A closed socket has no address.
  normalizeIP((request.ip as string | undefined) ?? '')

const isCheap = (request: FastifyRequest): boolean => {
  const { endpoint, isCounted } = request.routeOptions.config
  return endpoint === undefined ? isCounted !== true : endpoint.isSignable === true
}

const tooMany = (): AppError => new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 })

/**
 * Counts requests by key within the current second, which is the same for all keys. All counts start again at 0 when it
 * ends.
 */
class Counter {
  readonly #max: number
  #counts = new Map<string, number>()
  #endsAt = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Counts one request. Returns true if it exceeds the limit. */
  isOneTooMany(key: string): boolean {
    const count = this.#countOf(key) + 1
    this.#counts.set(key, count)
    return count > this.#max
  }

  /** Whether the next request would exceed the limit. */
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
   * Extends a guard. A request that the guard refuses counts toward the limit of its address, and requests
   * from a flooding address are refused without calling the guard.
   */
  watch(guard: Guard): Guard
  /**
   * Counts a request that was refused before the guard ran. Throws TOO_MANY_REQUESTS above the limit of its address.
   */
  countStranger(request: FastifyRequest): void
}

/**
 * Limits requests per second. A request in a session counts toward that session. Refused requests, and requests without
 * a session, count toward their IP address (for IPv6, its /64 network). Pictures and parts of pages have ten times the
 * limit. Known sessions keep working when their address is refused because of a flood.
 */
export function limitFloods(http: FastifyInstance, perSecond: number): FloodLimit {
  const sessions = new Counter(perSecond)
  const strangers = new Counter(perSecond)
  const cheap = new Counter(perSecond * CHEAP_FACTOR)
  const goodTokens = new FifoCache<true>(MAX_REMEMBERED)

  http.addHook('onRequest', (request, _reply, done) => {
    done(isCheap(request) && cheap.isOneTooMany(addressOf(request)) ? tooMany() : undefined)
  })
  // The hook runs after the guard, so that the session is known, and before the body is read.
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
    countStranger(request) {
      if (strangers.isOneTooMany(addressOf(request))) throw tooMany()
    },
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
        // Other errors, such as an unreachable database, are not the caller's fault and are not counted.
        const isRefused = error instanceof AppError
        throw isRefused && strangers.isOneTooMany(addressOf(request)) ? tooMany() : error
      }
    },
  }
}
