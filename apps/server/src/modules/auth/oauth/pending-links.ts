import { validate as isUuid } from 'uuid'
import * as z from 'zod/mini'
import type { TransactionSql } from '../../../platform/database/database.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import type { Device } from '../audit/device.ts'
import type { ProvenIdentity } from '../identities/external-accounts.ts'
import type { IdentityLinks } from '../identities/identity-links.service.ts'
import type { LinkCompletion } from '../mail-links/verification.service.ts'
import type { RefusedIdentities } from './refused-identities.ts'

const PURPOSE = 'pending-links'

interface PendingLink {
  sessionId: string
  proven: ProvenIdentity
}

const pendingLink = z.object({ sessionId: z.string().check(z.refine(isUuid)), proven: z.looseObject({}) })

/**
 * Links of identities that are not bound to a browser. The person at the provider might not be the person who began the
 * link. So the link is completed only when the person who began it exchanges the code. This requires the code verifier.
 */
export interface PendingLinks extends LinkCompletion {
  seal(link: PendingLink): string
}

export function createPendingLinks(deps: {
  secret: RootSecret
  identityLinks: IdentityLinks
  refusals: RefusedIdentities
}): PendingLinks {
  const { secret, identityLinks, refusals } = deps

  const open = (sealed: string): PendingLink => {
    const { sessionId, proven } = pendingLink.parse(JSON.parse(secret.open(PURPOSE, sealed).toString()))
    // The type is certain, because only `seal` can create such a text.
    return { sessionId, proven: proven as unknown as ProvenIdentity }
  }

  return {
    seal: (link) => secret.seal(PURPOSE, JSON.stringify(link)),

    async complete(tx: TransactionSql, accountId: string, sealed: string, device: Device) {
      const { sessionId, proven } = open(sealed)
      const end = { device, hasBegunElsewhere: true }
      const { identityId } = await identityLinks.link(tx, { accountId, sessionId }, proven, end)
      return { method: 'oauth', identityId }
    },

    noteRefusal: (error, accountId, device) => refusals.note(error, accountId, device),
  }
}
