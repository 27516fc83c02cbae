import { createAdminProduct, listPublications, publishProduct } from '@pegasus/contracts/products/publishing'
import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import { idempotencyKeyOf } from '../../../platform/http/idempotency.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { presentProduct, type WireNeeds } from '../catalogue/products.present.ts'
import { presentPublication } from './publications.present.ts'
import type { Published, Publisher, Publishing } from './publishing.service.ts'

export function addPublishingRoutes(
  endpoints: Endpoints,
  { publishing, clock, ...needs }: { publishing: Publishing; clock: Clock } & WireNeeds,
): void {
  const publisherOf = (request: FastifyRequest, user: UserPrincipal): Publisher => ({
    accountId: user.accountId,
    role: user.user.role,
    deed: auditContextOf(request, user, clock),
  })
  const present = ({ product, publication }: Published) => ({
    ...presentProduct(product, needs),
    publication: presentPublication(publication),
  })

  endpoints.add(createAdminProduct, async ({ body, user, request, reply }) => {
    const by = { ...publisherOf(request, user), idempotencyKey: idempotencyKeyOf(request) }
    const published = await publishing.publishNew(body, by)
    reply.code(published.status).header('etag', etagOf(published.product.revision))
    return present(published)
  })

  endpoints.add(publishProduct, async ({ params, body, user, request, reply }) => {
    const wish = { override: body?.license_override?.reason, again: body?.again }
    const published = await publishing.publish(params.id, wish, publisherOf(request, user))
    reply.header('etag', etagOf(published.product.revision))
    return present(published)
  })

  endpoints.add(listPublications, async ({ params }) =>
    (await publishing.history(params.id)).map(presentPublication),
  )
}
