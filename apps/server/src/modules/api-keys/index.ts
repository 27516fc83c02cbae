import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Database, TransactionSql } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { publish } from '../events/index.ts'
import type { KeyGuard, Refusals, ServiceKeyGuard, SignServiceToken } from '../auth/index.ts'
import { disableKeys } from './api-keys.queries.ts'
import { addApiKeyRoutes } from './api-keys.routes.ts'
import { createApiKeys } from './api-keys.service.ts'
import { deleteOldWindows } from './key-guard.queries.ts'
import { createKeyGuard } from './key-guard.service.ts'
import { createKeyUsage } from './key-usage.ts'
import { type FindServiceKey, createServiceKeyGuard } from './service-keys/service-key-guard.ts'
import { addServiceKeyRoutes } from './service-keys/service-keys.routes.ts'
import { createServiceKeys } from './service-keys/service-keys.service.ts'

interface ApiKeysModule {
  /** Checks the API key of a request. */
  guard: KeyGuard
  serviceGuard: ServiceKeyGuard
  findServiceKey: FindServiceKey
  /**
   * Adds the endpoints for keys: admins manage API keys, and the owner manages the keys of the hosted service's
   * protocol.
   */
  addRoutes(endpoints: Endpoints, auth: { refusals: Refusals; signServiceToken: SignServiceToken }): void
  /** Records the response to each request with a key. Writes the last records when the server closes. */
  watch(http: FastifyInstance): void
  /** Disables the keys of an account. Returns how many were enabled before. */
  disableKeysOf(tx: TransactionSql, accountId: string, now: Date): Promise<number>
  /** Deletes request counters of past minutes, which the rate limit no longer needs. Called every hour. */
  purge(): Promise<void>
}

/** Creates the module for API keys, with which programs call the API. */
export function createApiKeysModule(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  log: ServiceLog
  requestsPerMinute: number
}): ApiKeysModule {
  const { database, clock, secret, log, requestsPerMinute } = deps
  const usage = createKeyUsage({ database, clock, log })
  const serviceGuard = createServiceKeyGuard({ database, clock, log })
  return {
    serviceGuard,
    findServiceKey: serviceGuard.findSecret,
    async disableKeysOf(tx, accountId, now) {
      const ids = await disableKeys(tx, accountId, now)
      for (const id of ids) await publish(tx, { type: 'updated', entity: 'api_key', id })
      return ids.length
    },
    guard: createKeyGuard({ database, clock, usage, requestsPerMinute }),
    addRoutes(endpoints, { refusals, signServiceToken: sign }) {
      const keys = createApiKeys({ database, clock, secret, endpoints: () => endpoints.all })
      addApiKeyRoutes(endpoints, { keys, refusals })
      addServiceKeyRoutes(endpoints, { keys: createServiceKeys({ database, clock, secret, sign }) })
    },
    watch(http) {
      http.addHook('onResponse', (request, reply, done) => {
        usage.end(request, reply)
        done()
      })
      // This hook runs after the last response, when the server has closed but the database is still open.
      http.addHook('onClose', () => usage.close())
      http.addHook('onClose', () => serviceGuard.close())
    },
    purge: () => deleteOldWindows(database.sql, clock.now()),
  }
}
