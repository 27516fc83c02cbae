import { hash } from 'node:crypto'
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SECOND_MS } from '../clock.ts'
import { AppError } from '../errors/app-error.ts'
import type { Guard } from './endpoints.ts'

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

/** The last so many of what was added. */
class Recent {
  readonly #values = new Set<string>()

  add(value: string): void {
    if (this.#values.has(value)) return
    this.#values.add(value)
    const [oldest] = this.#values
    if (this.#values.size > MAX_REMEMBERED && oldest !== undefined) this.#values.delete(oldest)
  }

  has(value: string): boolean {
    return this.#values.has(value)
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
export async function limitFloods(http: FastifyInstance, perSecond: number): Promise<FloodLimit> {
  await http.register(rateLimit, { global: false, timeWindow: SECOND_MS })
  const sessions = http.createRateLimit({
    max: perSecond,
    keyGenerator: (request) => request.principal?.sessionId ?? '',
  })
  const strangers = http.createRateLimit({ max: perSecond, keyGenerator: addressOf })
  const cheap = http.createRateLimit({ max: perSecond * CHEAP_FACTOR, keyGenerator: addressOf })
  const goodTokens = new Recent()
  const tokenOf = (request: FastifyRequest): string =>
    hash('sha256', request.headers.authorization ?? '', 'base64')

  type Limiter = typeof sessions
  const isOver = async (limiter: Limiter, request: FastifyRequest, increment = true): Promise<boolean> => {
    const state = await limiter(request, { increment })
    return !state.isAllowed && (increment ? state.isExceeded : state.remaining === 0)
  }

  http.addHook('onRequest', async (request) => {
    if (isCheap(request) && (await isOver(cheap, request))) throw tooMany()
  })
  // After the guard, so that a session is known, and before the body is read.
  http.addHook('preParsing', async (request) => {
    if (isCheap(request)) return
    if (await isOver(request.principal ? sessions : strangers, request)) throw tooMany()
  })

  return {
    watch: (guard) => async (request, endpoint) => {
      if (endpoint.access === 'public') return guard(request, endpoint)
      const token = tokenOf(request)
      if (!goodTokens.has(token) && (await isOver(strangers, request, false))) throw tooMany()
      try {
        const principal = await guard(request, endpoint)
        if (principal) goodTokens.add(token)
        return principal
      } catch (error) {
        // What is no refusal is our own failure, such as a database that is away, and nobody's guilt.
        const isRefused = error instanceof AppError
        throw isRefused && (await isOver(strangers, request)) ? tooMany() : error
      }
    },
  }
}
