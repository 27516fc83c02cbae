import { createHmac } from 'node:crypto'
import { type User, createUser, getUser, listUsers, updateUser } from '@pegasus/contracts/users'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { fingerprintOf, idempotencyKeyOf } from '../../platform/http/idempotency.ts'
import { decodeCursor, sendPageHeaders } from '../../platform/http/paging.ts'
import type { Accounts } from './accounts.service.ts'

const ETAG = /^(?:W\/)?"(\d{1,9})"$/

/** The revision that `If-Match` names; null for `*`. Throws PRECONDITION_REQUIRED without one. */
function revisionIn(request: FastifyRequest): number | null {
  const header = request.headers['if-match']
  if (header === undefined) throw new AppError('PRECONDITION_REQUIRED')
  if (header.trim() === '*') return null
  const revision = ETAG.exec(header.trim())?.[1]
  // What we never gave out fits no revision.
  return revision === undefined ? -1 : Number(revision)
}

function withEtag(reply: FastifyReply, user: User): User {
  reply.header('etag', `"${user.revision}"`)
  return user
}

/** The accounts of the product, for admins and owners. */
export function addAccountRoutes(
  endpoints: Endpoints,
  deps: { accounts: Accounts; fingerprintKey: Buffer },
): void {
  const { accounts, fingerprintKey } = deps

  endpoints.add(listUsers, async ({ query, request, reply }) => {
    const isApproved = query.approved === undefined ? null : query.approved === 'true'
    const place = { cursor: decodeCursor(query.cursor), limit: query.limit }
    const page = await accounts.list({ search: query.search, isApproved }, place)
    sendPageHeaders(request, reply, page)
    return page.items
  })

  endpoints.add(getUser, async ({ params, reply }) => withEtag(reply, await accounts.get(params.id)))

  endpoints.add(createUser, async ({ user, body, request, reply }) => {
    // Kept for a day beside the answer: keyed, since it covers a password.
    const fingerprint = createHmac('sha256', fingerprintKey).update(fingerprintOf(body)).digest('hex')
    const idempotencyKey = idempotencyKeyOf(request)
    const answer = await accounts.create(body, { actorId: user.accountId, idempotencyKey, fingerprint })
    return withEtag(reply, answer.body)
  })

  endpoints.add(updateUser, async ({ user, params, body, request, reply }) => {
    const options = { actorId: user.accountId, revision: revisionIn(request) }
    return withEtag(reply, await accounts.update(params.id, body, options))
  })
}
