import {
  createDraft,
  deleteDraft,
  getDraft,
  listDrafts,
  restoreDraft,
  updateDraft,
} from '@pegasus/contracts/products/drafts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn, revisionIn } from '../../../platform/http/etag.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { presentDraft } from './drafts.present.ts'
import type { Drafter, Drafts } from './drafts.service.ts'

const drafterOf = ({ accountId, user }: UserPrincipal): Drafter => ({ accountId, role: user.role })

export function addDraftRoutes(endpoints: Endpoints, { drafts }: { drafts: Drafts }): void {
  endpoints.add(listDrafts, async ({ user: { accountId } }) =>
    (await drafts.list(accountId)).map((row) => presentDraft(row, accountId)),
  )

  endpoints.add(getDraft, async ({ params, user: { accountId } }) =>
    presentDraft(await drafts.get(params.id, accountId), accountId),
  )

  endpoints.add(createDraft, async ({ body, caller, reply }) => {
    const answer = await drafts.create(body, caller)
    reply.code(answer.status)
    return answer.body
  })

  endpoints.add(updateDraft, async ({ params, body, user, request }) =>
    presentDraft(
      await drafts.update(params.id, body, requiredRevisionIn(request), drafterOf(user)),
      user.accountId,
    ),
  )

  endpoints.add(deleteDraft, async ({ params, user, request }) => {
    await drafts.remove(params.id, revisionIn(request), drafterOf(user))
  })

  endpoints.add(restoreDraft, async ({ params, user }) =>
    presentDraft(await drafts.restore(params.id, drafterOf(user)), user.accountId),
  )
}
