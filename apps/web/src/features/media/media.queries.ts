import { listProducts } from '@pegasus/contracts/products/products'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value.ts'
import { callList } from '@/lib/http/api.ts'
import { findMedia, type KnownMedia } from '@/lib/http/uploads/media-storage.ts'

/** Every query about stored media starts with this key, so that an upload refreshes them all. */
export const MEDIA_KEY = 'media'

const SLUG = /^[a-z0-9-]+$/
const SETTLE_MS = 300
const NOT_STORED: readonly KnownMedia[] = []

export const isSlug = (text: string): boolean => SLUG.test(text)

/** Slugs of the newest products, as suggestions for the slug field. */
export const productSlugsQuery = queryOptions({
  queryKey: ['products', 'slugs'],
  queryFn: async ({ signal }) => {
    const { items } = await callList(listProducts, { query: { limit: 100 }, signal })
    return items.map(({ slug }) => slug)
  },
})

/**
 * Returns the stored files of a product, named as uploads name them: `hook.jpg`, `hook-2.jpg`, `hook.webm`.
 */
export function useStoredMedia(slug: string): readonly KnownMedia[] {
  const asked = useDebouncedValue(isSlug(slug) ? slug : '', SETTLE_MS)
  const { data } = useQuery({
    queryKey: [MEDIA_KEY, 'names', asked],
    queryFn: () => findMedia(asked),
    enabled: asked !== '',
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  if (asked !== slug || !data) return NOT_STORED
  // The search also finds the files of products whose slugs contain this one.
  const own = new RegExp(String.raw`^${slug}(-poster|-\d+)?\.[a-z0-9]+$`)
  return data.filter(({ name }) => own.test(name))
}
