import {
  createDraft,
  deleteDraft,
  getDraft,
  listDrafts,
  restoreDraft,
  updateDraft,
} from '@pegasus/contracts/products/drafts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf, requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { presentDraft } from './drafts.present.ts'
import type { Drafter, Drafts } from './drafts.service.ts'

const drafterOf = ({ accountId, user }: UserPrincipal): Drafter => ({ accountId, role: user.role })

export function addDraftRoutes(endpoints: Endpoints, { drafts }: { drafts: Drafts }): void {
  endpoints.add(listDrafts, async ({ user: { accountId } }) =>
    (await drafts.list(accountId)).map((row) => presentDraft(row, accountId)),
  )

  endpoints.add(getDraft, async ({ params, user: { accountId }, reply }) => {
    const row = await drafts.get(params.id, accountId)
    reply.header('etag', etagOf(row.revision))
    return presentDraft(row, accountId)
  })

  endpoints.add(createDraft, async ({ body, user: { accountId }, request, reply }) => {
    const answer = await drafts.create(body, { accountId, idempotencyKey: idempotencyKeyOf(request) })
    reply.code(answer.status).header('etag', etagOf(answer.body.revision))
    return answer.body
  })

  endpoints.add(updateDraft, async ({ params, body, user, request, reply }) => {
    const row = await drafts.update(params.id, body, requiredRevisionIn(request), drafterOf(user))
    reply.header('etag', etagOf(row.revision))
    return presentDraft(row, user.accountId)
  })

  endpoints.add(deleteDraft, async ({ params, user, request }) => {
    await drafts.remove(params.id, revisionIn(request), drafterOf(user))
  })

  endpoints.add(restoreDraft, async ({ params, user, reply }) => {
    const row = await drafts.restore(params.id, drafterOf(user))
    reply.header('etag', etagOf(row.revision))
    return presentDraft(row, user.accountId)
  })
}
