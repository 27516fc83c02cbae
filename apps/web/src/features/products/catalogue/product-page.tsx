import type { Product } from '@pegasus/contracts/products/products'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Pencil, SearchX, Trash2 } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { PageHead } from '@/components/page-head.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { productQuery, useDeleteProduct, useRestoreProduct } from '../products.queries.ts'
import { LinksCard } from './links-card.tsx'
import { ProductDetails } from './product-details.tsx'
import { ProductMedia } from './product-media.tsx'
import { canPublish } from './product-state.tsx'
import type { ProductAddresses } from './products-page.tsx'
import { PublicationsCard } from './publications-card.tsx'
import { PublishButton } from './publish-button.tsx'
import { SaleCard } from './sale-card.tsx'
import { SiteCheckCard } from './sync-check-card.tsx'

interface ProductPageProps {
  id: string
  /** The list as it was left. */
  backTo: string
  editTo: string
  addresses: ProductAddresses
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** One product: what the shop has of it, how that came about, and what it is made from. */
export function ProductPage({ id, backTo, editTo, addresses }: ProductPageProps) {
  const { data: product, isPending, isError, error, refetch, isFetching } = useQuery(productQuery(id))
  const mayWrite = isEmployeeOrHigher(useCurrentUser().role)
  usePageTitle(product?.name)
  // The address changes only in its query, so the browser would stay where the form or the list was scrolled to.
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
  }, [id])
  if (isError && isMissing(error))
    return (
      <Card className="p-4">
        <EmptyState
          icon={<SearchX size={24} strokeWidth={1.6} aria-hidden />}
          title="Product not found"
          titleLevel={1}
          actions={
            <Link to={backTo} className={buttonClass()}>
              All products
            </Link>
          }
        >
          There is no product at this address. It may lie in the bin.
        </EmptyState>
      </Card>
    )
  return (
    <>
      {product ? (
        <PageHead
          backTo={backTo}
          backLabel="Products"
          title={<bdi>{product.name}</bdi>}
          aside={mayWrite ? <Actions product={product} editTo={editTo} backTo={backTo} /> : null}
        />
      ) : null}
      {isPending ? <Loading /> : null}
      {isError ? (
        <ErrorState
          message={product ? 'The product could not be refreshed.' : 'The product could not be loaded.'}
          detail={error.message}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="mb-4"
        />
      ) : null}
      {product ? (
        <>
          <State product={product} />
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_372px]">
            {/* In one column what decides comes right after the picture, and the rest after that. */}
            <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
              <ProductMedia product={product} className="max-lg:-order-2" />
              <ProductDetails product={product} />
            </div>
            <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
              <SaleCard product={product} mayWrite={mayWrite} className="max-lg:-order-1" />
              <SiteCheckCard product={product} mayWrite={mayWrite} />
              <LinksCard product={product} addresses={addresses} />
              <PublicationsCard id={id} />
            </div>
          </div>
        </>
      ) : null}
    </>
  )
}

function Actions({ product, editTo, backTo }: { product: Product; editTo: string; backTo: string }) {
  const navigate = useNavigate()
  const remove = useDeleteProduct()
  const restore = useRestoreProduct()
  const { id, name } = product
  const tell = (error: unknown) =>
    toast({ title: errorMessage(error, 'That did not work. Please try again.') })
  const handleDelete = async () => {
    // Away first: whatever tells of the deletion would have a page of what is gone ask for it again.
    void navigate(backTo, { replace: true, flushSync: true })
    try {
      await remove.mutateAsync(id)
      toast({
        title: `“${name}” moved to the bin`,
        action: { label: 'Undo', onSelect: () => void restore.mutateAsync(id).catch(tell) },
      })
    } catch (error) {
      tell(error)
    }
  }
  return (
    <>
      {product.site_url ? (
        <a href={product.site_url} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
          <ExternalLink size={16} strokeWidth={1.75} aria-hidden />
          Open in the shop
        </a>
      ) : null}
      <Button icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden />} onClick={() => void handleDelete()}>
        Delete
      </Button>
      <Link to={editTo} className={buttonClass()}>
        <Pencil size={16} strokeWidth={1.75} aria-hidden />
        Edit
      </Link>
      {canPublish(product) ? <PublishButton product={product} variant="primary" /> : null}
    </>
  )
}

/** What a person has to know before anything else. */
function State({ product }: { product: Product }) {
  const { status, failure_reason: reason, has_unpublished_changes: hasChanges } = product
  if (status === 'failed')
    return (
      <AlertBox className="mb-4" title="The shop does not have this product.">
        {reason}
      </AlertBox>
    )
  if (status === 'published' && hasChanges)
    return (
      <AlertBox tone="warning" className="mb-4" title="The shop has an earlier state of this product.">
        What was changed here since reaches it with the next publication.
      </AlertBox>
    )
  return null
}

const Loading = () => (
  <SkeletonGroup label="Loading the product" className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_372px]">
    <div className="rounded-card border border-line bg-surface p-4">
      <Skeleton className="h-64 w-full rounded-control!" />
      <Skeleton className="mt-4 h-3 w-1/2" />
      <Skeleton className="mt-3 h-3 w-2/3" />
    </div>
    <div className="rounded-card border border-line bg-surface p-4">
      <Skeleton className="h-3 w-2/3" />
      <Skeleton className="mt-4 h-3 w-1/2" />
    </div>
  </SkeletonGroup>
)
