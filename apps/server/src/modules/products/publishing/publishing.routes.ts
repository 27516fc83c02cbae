import { createAdminProduct, listPublications, publishProduct } from '@pegasus/contracts/products/publishing'
import type { Call, Endpoints } from '../../../platform/http/endpoints.ts'
import { presentProduct, type WireNeeds } from '../catalog/products.present.ts'
import { presentPublication } from './publications.present.ts'
import type { Published, Publisher, Publishing } from './publishing.service.ts'

export function addPublishingRoutes(
  endpoints: Endpoints,
  { publishing, ...needs }: { publishing: Publishing } & WireNeeds,
): void {
  const publisherOf = ({
    user,
    caller,
  }: Pick<Call<typeof publishProduct>, 'user' | 'caller'>): Publisher => ({
    ...caller,
    role: user.user.role,
  })
  const present = ({ product, publication }: Published) => ({
    ...presentProduct(product, needs),
    publication: presentPublication(publication),
  })

  endpoints.add(createAdminProduct, async (call) => {
    const { body, reply } = call
    const published = await publishing.publishNew(body, publisherOf(call))
    reply.code(published.status)
    return present(published)
  })

  endpoints.add(publishProduct, async (call) => {
    const { params, body } = call
    const options = { override: body?.license_override?.reason, again: body?.again }
    const published = await publishing.publish(params.id, options, publisherOf(call))
    return present(published)
  })

  endpoints.add(listPublications, async ({ params }) =>
    (await publishing.history(params.id)).map(presentPublication),
  )
}
