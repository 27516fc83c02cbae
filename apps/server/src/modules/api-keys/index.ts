import type { FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors/app-error.ts'
import type { ApiKeyPrincipal } from '../../platform/http/principal.ts'

export interface ApiKeys {
  /** Whether a bearer token is, by its looks, an API key. */
  isKey(token: string): boolean
  authenticate(key: string, request: FastifyRequest): Promise<ApiKeyPrincipal>
}

/** The keys that programs hold. */
export function createApiKeys(): ApiKeys {
  return {
    isKey: (token) => token.startsWith('pgo_'),
    authenticate: async () => {
      throw new AppError('UNAUTHENTICATED')
    },
  }
}
