import {
  createAdminProduct,
  type PublishedProduct,
  type PublishProductBody,
} from '@pegasus/contracts/products/publishing'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { callApi } from '@/lib/http/api.ts'
import { ApiError } from '@/lib/http/api-error.ts'
import { newIdempotencyKey } from '@/lib/http/uploads/upload.ts'
import { bodyOf, type ProductForm } from '../product-form/product-form.ts'
import { DRAFTS_KEY, PRODUCTS_KEY } from '../products.queries.ts'
import type { DraftKeeper } from './draft-keeper.ts'

/** The reason why the product was not published, and the product in the catalog that it concerns, if any. */
export interface PublishFailure {
  message: string
  productId: string | null
  /**
   * True if that product is or may be in the shop. This draft must then not become another product
   * automatically.
   */
  isThere: boolean
}

interface Sent {
  key: string
  body: Record<string, unknown>
}

/**
 * Returns whether the product may have been stored despite the error. If so, the same request must be sent
 * again.
 */
const isUncertain = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || (error.status >= 500 && error.code !== 'main_site_failed'))

function failureOf(error: unknown): PublishFailure {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof ApiError)) return { message, productId: null, isThere: false }
  const { product_id: productId } = error.body
  return {
    message,
    productId: typeof productId === 'string' ? productId : null,
    isThere: error.code === 'slug_fixed' || error.code === 'product_in_shop',
  }
}

/**
 * Publishes the current fields exactly once. The request is stored with its key before it is sent. A second
 * click, a lost response or a reload therefore repeats the same publication.
 */
export function usePublish(keeper: DraftKeeper, onPublished: (product: PublishedProduct) => void) {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(() => keeper.publishing() !== null)
  const [failure, setFailure] = useState<PublishFailure | null>(null)
  const isUnderWay = useRef(false)

  const run = async ({ key, body }: Sent): Promise<void> => {
    setIsPending(true)
    try {
      const product = await callApi(createAdminProduct, {
        // The body was validated with the schema before it was stored.
        body: body as unknown as PublishProductBody,
        headers: { 'Idempotency-Key': key },
      })
      keeper.finish()
      void client.invalidateQueries({ queryKey: [PRODUCTS_KEY] })
      void client.invalidateQueries({ queryKey: [DRAFTS_KEY] })
      onPublished(product)
    } catch (error) {
      if (!isUncertain(error)) keeper.setPublishing(null)
      setFailure(failureOf(error))
      void client.invalidateQueries({ queryKey: [PRODUCTS_KEY] })
    } finally {
      setIsPending(false)
      isUnderWay.current = false
    }
  }
  const begin = async (form: ProductForm, reason: string): Promise<void> => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setFailure(null)
    setIsPending(true)
    try {
      const product = bodyOf(form)
      await keeper.settle()
      const draftId = keeper.serverId()
      const body = {
        ...product,
        making_id: keeper.makingId(),
        ...(draftId !== null && { draft_id: draftId }),
        ...(reason.trim() !== '' && { license_override: { reason: reason.trim() } }),
      }
      const last = keeper.publishing()
      const isSame = last !== null && JSON.stringify(last.body) === JSON.stringify(body)
      const sent = isSame ? last : { key: newIdempotencyKey(), body }
      keeper.setPublishing(sent)
      await run(sent)
    } catch (error) {
      setFailure(failureOf(error))
      setIsPending(false)
      isUnderWay.current = false
    }
  }
  // Continues a publication that a reload has interrupted.
  const resume = useEffectEvent(() => {
    const left = keeper.publishing()
    if (!left || isUnderWay.current) return
    isUnderWay.current = true
    void run(left)
  })
  useEffect(() => resume(), [])

  return { isPending, failure, clearFailure: () => setFailure(null), publish: begin }
}
