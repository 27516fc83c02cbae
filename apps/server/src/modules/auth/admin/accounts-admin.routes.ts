import { createHmac } from 'node:crypto'
import { adminResetPassword } from '@pegasus/contracts/auth/passwords'
import {
  type User,
  createUser,
  getUser,
  listUsers,
  sendInvitation,
  updateUser,
} from '@pegasus/contracts/users/users'
import type { FastifyReply } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn } from '../../../platform/http/etag.ts'
import { fingerprintOf, idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { decodeCursor, sendPageHeaders } from '../../../platform/http/paging.ts'
import type { Refusals } from '../audit/refused-sign-ins.service.ts'
import type { AccountChanges } from './account-changes.service.ts'
import type { Accounts } from './accounts-admin.service.ts'
import type { PasswordResets } from './password-reset.service.ts'

function withEtag(reply: FastifyReply, user: User): User {
  reply.header('etag', etagOf(user.revision))
  return user
}

/** Endpoints for admins and owners to manage accounts. */
export function addAccountRoutes(
  endpoints: Endpoints,
  deps: {
    accounts: Accounts
    changes: AccountChanges
    resets: PasswordResets
    refusals: Refusals
    fingerprintKey: Buffer
    clock: Clock
  },
): void {
  const { accounts, changes, resets, refusals, fingerprintKey, clock } = deps

  const byCaller = ({ user, request }: Pick<Call<typeof createUser>, 'user' | 'request'>) => ({
    actorId: user.accountId,
    deed: auditContextOf(request, user, clock),
  })

  endpoints.add(listUsers, async ({ query, request, reply }) => {
    const { search, role = null, status = null } = query
    const isApproved = query.approved === undefined ? null : query.approved === 'true'
    const place = { cursor: decodeCursor(query.cursor), limit: query.limit }
    const page = await accounts.list({ search, isApproved, role, status }, place)
    sendPageHeaders(request, reply, page)
    return page.items
  })

  endpoints.add(getUser, async ({ params, reply }) => withEtag(reply, await accounts.get(params.id)))

  endpoints.add(createUser, async (call) => {
    const { body, request, reply } = call
    // The stored response of a repeated request is keyed, because the request contains a password.
    const fingerprint = createHmac('sha256', fingerprintKey).update(fingerprintOf(body)).digest('hex')
    const options = { ...byCaller(call), idempotencyKey: idempotencyKeyOf(request), fingerprint }
    const answer = await refusals.watch(call, createUser, () => accounts.create(body, options))
    return withEtag(reply, answer.body)
  })

  endpoints.add(updateUser, async (call) => {
    const { params, body, request, reply } = call
    const options = { ...byCaller(call), revision: requiredRevisionIn(request) }
    const user = await refusals.watch(call, updateUser, () => changes.update(params.id, body, options))
    return withEtag(reply, user)
  })

  endpoints.add(sendInvitation, async (call) => {
    const { params, reply } = call
    const user = await refusals.watch(call, sendInvitation, () => accounts.invite(params.id, byCaller(call)))
    return withEtag(reply, user)
  })

  endpoints.add(adminResetPassword, async (call) => {
    await refusals.watch(call, adminResetPassword, () => resets.reset(call.body, byCaller(call)))
    return { message: 'Password reset successfully' }
  })
}
