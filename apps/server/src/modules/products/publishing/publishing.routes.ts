import { createAdminProduct, listPublications, publishProduct } from '@pegasus/contracts/products/publishing'
import type { Call, Endpoints } from '../../../platform/http/endpoints.ts'
import { presentProduct, type WireNeeds } from '../catalog/products.present.ts'
import { presentPublication } from './publications.present.ts'
import type { Published, Publisher, Publishing } from './publishing.service.ts'

export function addPublishingRoutes(
  endpoints: Endpoints,
  { publishing, ...needs }: { publishing: Publishing } & WireNeeds,
): void {
  const publisherOf = ({ user, audit }: Pick<Call<typeof publishProduct>, 'user' | 'audit'>): Publisher => ({
    accountId: user.accountId,
    role: user.user.role,
    audit,
  })
  const present = ({ product, publication }: Published) => ({
    ...presentProduct(product, needs),
    publication: presentPublication(publication),
  })

  endpoints.add(createAdminProduct, async (call) => {
    const { body, caller, reply } = call
    const by = { ...publisherOf(call), ...caller }
    const published = await publishing.publishNew(body, by)
    reply.code(published.status)
    return present(published)
  })

  endpoints.add(publishProduct, async (call) => {
    const { params, body } = call
    const wish = { override: body?.license_override?.reason, again: body?.again }
    const published = await publishing.publish(params.id, wish, publisherOf(call))
    return present(published)
  })

  endpoints.add(listPublications, async ({ params }) =>
    (await publishing.history(params.id)).map(presentPublication),
  )
}
