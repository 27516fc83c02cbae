import type { Product } from '@pegasus/contracts/products/products'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, ExternalLink, Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import { EntityColumns, EntityPage, SkeletonCard } from '@/components/kit/entity-page.tsx'
import { toastError } from '@/components/toast-error.ts'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { productQuery, useDeleteProduct, useRestoreProduct } from '../products.queries.ts'
import { LinksCard } from './links-card.tsx'
import { ProductDetails } from './product-details.tsx'
import { ProductMedia } from './product-media.tsx'
import { canPublish } from './product-state.tsx'
import type { ProductAddresses } from './products-address.ts'
import { PublicationsCard } from './publications-card.tsx'
import { PublishButton } from './publish-button.tsx'
import { SaleCard } from './sale-card.tsx'
import { SiteCheckCard } from './sync-check-card.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface ProductPageProps {
  id: string
  /** Address of the list with its filters. */
  backTo: string
  editTo: string
  addresses: ProductAddresses
}

/** The page of a product: its state in the shop, its history and its sources. */
export function ProductPage({ id, backTo, editTo, addresses }: ProductPageProps) {
  const mayWrite = isEmployeeOrHigher(useCurrentUser().role)
  return (
    <EntityPage
      query={useQuery(productQuery(id))}
      list={{ to: backTo, name: t('Products'), one: 'product' }}
      name={({ name }) => name}
      actions={(product, leave) =>
        mayWrite ? <Actions product={product} editTo={editTo} onRemove={leave} /> : null
      }
      skeleton={
        <EntityColumns>
          <SkeletonCard lines={2} picture={<Skeleton className="h-64 w-full rounded-control!" />} />
          <SkeletonCard lines={2} />
        </EntityColumns>
      }
    >
      {(product) => (
        <>
          <State product={product} />
          <EntityColumns>
            {/* In a single column, the sale card comes right after the picture. */}
            <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
              <ProductMedia product={product} className="max-lg:-order-2" />
              <ProductDetails product={product} />
            </div>
            <div className="flex min-w-0 flex-col gap-4 max-lg:contents">
              <SaleCard
                product={product}
                mayWrite={mayWrite}
                itemAddress={addresses.item}
                className="max-lg:-order-1"
              />
              <SiteCheckCard product={product} mayWrite={mayWrite} />
              <LinksCard product={product} addresses={addresses} />
              <PublicationsCard id={id} />
            </div>
          </EntityColumns>
        </>
      )}
    </EntityPage>
  )
}

function Actions({ product, editTo, onRemove }: { product: Product; editTo: string; onRemove: () => void }) {
  const remove = useDeleteProduct()
  const restore = useRestoreProduct()
  const { id, name } = product
  const handleDelete = async () => {
    onRemove()
    try {
      await remove.mutateAsync(id)
      toast({
        title: t('“{name}” moved to the trash', { name }),
        action: { label: t('Undo'), onSelect: () => void restore.mutateAsync(id).catch(toastError) },
      })
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <>
      {product.site_url ? (
        <a href={product.site_url} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
          <ExternalLink size={16} strokeWidth={1.75} aria-hidden />
          {t('Open in the shop')}
        </a>
      ) : null}
      <Link
        to={editTo}
        className={`${buttonClass({ variant: canPublish(product) ? 'secondary' : 'primary' })} phone:grow`}
      >
        <Pencil size={16} strokeWidth={1.75} aria-hidden />
        {t('Edit')}
      </Link>
      {canPublish(product) ? <PublishButton product={product} variant="primary" /> : null}
      <DropdownMenu
        trigger={
          <IconButton label={t('More for {name}', { name })}>
            <Ellipsis size={16} strokeWidth={1.75} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem
          icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden />}
          isDanger
          onSelect={() => void handleDelete()}
        >
          {t('Delete')}
        </MenuItem>
      </DropdownMenu>
    </>
  )
}

/** Shows the most important notice about the product. */
function State({ product }: { product: Product }) {
  const { status, failure_reason: reason, has_unpublished_changes: hasChanges } = product
  if (status === 'failed')
    return (
      <AlertBox className="mb-4" title={t('The shop does not have this product.')}>
        {reason}
      </AlertBox>
    )
  if (status === 'published' && hasChanges)
    return (
      <AlertBox tone="warning" className="mb-4" title={t('The shop has an older version of this product.')}>
        {t('Later changes reach the shop with the next publication.')}
      </AlertBox>
    )
  return null
}
