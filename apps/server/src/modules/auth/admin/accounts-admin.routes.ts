import { createHmac } from 'node:crypto'
import { adminResetPassword } from '@pegasus/contracts/auth/passwords'
import { createUser, getUser, listUsers, sendInvitation, updateUser } from '@pegasus/contracts/users/users'
import type { Call, Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn } from '../../../platform/http/etag.ts'
import { fingerprintOf, idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import { pageRequestOf } from '../../../platform/http/paging.ts'
import type { Refusals } from '../audit/refused-sign-ins.service.ts'
import type { AccountChanges } from './account-changes.service.ts'
import type { Accounts } from './accounts-admin.service.ts'
import type { PasswordResets } from './password-reset.service.ts'

/** Adds the endpoints for admins and owners to manage accounts. */
export function addAccountRoutes(
  endpoints: Endpoints,
  deps: {
    accounts: Accounts
    changes: AccountChanges
    resets: PasswordResets
    refusals: Refusals
    fingerprintKey: Buffer
  },
): void {
  const { accounts, changes, resets, refusals, fingerprintKey } = deps

  const byCaller = ({ user, audit }: Pick<Call<typeof createUser>, 'user' | 'audit'>) => ({
    actorId: user.accountId,
    audit,
  })

  endpoints.add(listUsers, async ({ query }) => {
    const { search, role = null, status = null } = query
    const isApproved = query.approved === undefined ? null : query.approved === 'true'
    return accounts.list({ search, isApproved, role, status }, pageRequestOf(query))
  })

  endpoints.add(getUser, ({ params }) => accounts.get(params.id))

  endpoints.add(createUser, async (call) => {
    const { body, request } = call
    // The request contains a password. A keyed hash prevents anybody from guessing it from the stored fingerprint.
    const fingerprint = createHmac('sha256', fingerprintKey).update(fingerprintOf(body)).digest('hex')
    const options = { ...byCaller(call), idempotencyKey: idempotencyKeyOf(request), fingerprint }
    const answer = await refusals.watch(call, createUser, () => accounts.create(body, options))
    return answer.body
  })

  endpoints.add(updateUser, async (call) => {
    const { params, body, request } = call
    const options = { ...byCaller(call), revision: requiredRevisionIn(request) }
    return refusals.watch(call, updateUser, () => changes.update(params.id, body, options))
  })

  endpoints.add(sendInvitation, (call) =>
    refusals.watch(call, sendInvitation, () => accounts.invite(call.params.id, byCaller(call))),
  )

  endpoints.add(adminResetPassword, async (call) => {
    await refusals.watch(call, adminResetPassword, () => resets.reset(call.body, byCaller(call)))
    return { message: 'Password reset successfully' }
  })
}
