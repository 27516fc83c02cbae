import { reviewProduct, getProductStart, takeModelPictures } from '@pegasus/contracts/products/setup'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { Review } from './product-review.service.ts'
import type { Start } from './product-setup.service.ts'

/** Adds the routes that the product wizard needs before it stores a product. */
export function addProductSetupRoutes(
  endpoints: Endpoints,
  { start, review }: { start: Start; review: Review },
): void {
  endpoints.add(getProductStart, async ({ query }) =>
    start.from({ stlFileId: query.stl_file_id, itemId: query.inventory_item_id }),
  )

  endpoints.add(takeModelPictures, ({ body, caller }) =>
    start.takePictures({ stlFileId: body.stl_file_id, slug: body.slug }, caller),
  )

  endpoints.add(reviewProduct, async ({ body }) => review.of(body))
}
