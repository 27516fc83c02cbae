import { listOwnSessions } from '@pegasus/contracts/auth/own-account'
import { hostedJwks } from '@pegasus/contracts/auth/hosted-auth'
import { hostedHealth } from '@pegasus/contracts/auth/hosted-state'
import { getMe } from '@pegasus/contracts/auth/sign-in'
import { getSignInRules, updateSignInRules } from '@pegasus/contracts/auth/sign-in-rules'
import { listSigningKeys, rotateSigningKey } from '@pegasus/contracts/auth/signing-keys'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import { getUser, listUsers } from '@pegasus/contracts/users/users'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { HostedProject } from './project-settings.ts'

/**
 * The endpoints for accounts and sign-in that also work with a hosted project. They only read, or they concern the JWTs
 * of service keys or the rules of this installation.
 */
const OPEN: ReadonlySet<Endpoint> = new Set<Endpoint>([
  getMe,
  listOwnSessions,
  listUsers,
  getUser,
  getSignInRules,
  updateSignInRules,
  listSigningKeys,
  rotateSigningKey,
  hostedJwks,
  hostedHealth,
])

/**
 * Wraps `endpoints`, so that an endpoint added for accounts or sign-in throws IN_HOSTED_PROJECT unless it also works
 * with a hosted project. The guard still checks first whether the caller may call the endpoint.
 */
export const withoutAccounts = (endpoints: Endpoints, { url }: HostedProject): Endpoints => ({
  all: endpoints.all,
  add(endpoint, handler, onSocket) {
    if (OPEN.has(endpoint)) return endpoints.add(endpoint, handler, onSocket)
    return endpoints.add(endpoint, () => {
      const message = `Accounts and sign-in are managed in the hosted project at ${url}, not on this server.`
      return Promise.reject(new AppError('IN_HOSTED_PROJECT', { text: message }))
    })
  },
})
