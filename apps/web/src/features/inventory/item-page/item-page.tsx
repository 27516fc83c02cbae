import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Boxes } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { formatTime } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { withView } from '../inventory-address.ts'
import { itemQuery } from '../inventory.queries.ts'
import type { InventoryAddresses } from '../inventory-page.tsx'
import { EditButton, ItemMenu, QrButton } from '../items/item-actions.tsx'
import { ItemStatus } from '../items/item-parts.tsx'
import { CostCard } from './cost-card.tsx'
import { DetailsCards } from './details-cards.tsx'
import { HistoryCard } from './history-card.tsx'
import { OrdersCard } from './orders-card.tsx'
import { StockCard } from './stock-card.tsx'
import { UsesCard } from './uses-card.tsx'

interface ItemPageProps {
  id: string
  /** The list as it was left. */
  backTo: string
  addresses: InventoryAddresses
}

/** One item: what there is of it and how it came to that, what it costs, and what may be done with it. */
export function ItemPage({ id, backTo, addresses }: ItemPageProps) {
  const { data: item, error, dataUpdatedAt, isFetching, refetch } = useQuery(itemQuery(id))
  // The address changes only in its query, so the browser would stay where the list was scrolled to.
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  usePageTitle(item?.name)
  if (error instanceof ApiError && error.status === 404) return <ItemNotFound backTo={backTo} />
  return (
    <>
      <Head item={item} backTo={backTo} makeAddress={addresses.make} />
      {error ? (
        <ErrorState
          message={errorMessage(error, 'The item could not be loaded. Please try again.')}
          detail={item && `What is shown is from ${formatTime(dataUpdatedAt)}.`}
          onRetry={refetch}
          isRetrying={isFetching}
          className="mb-4"
        />
      ) : null}
      {item ? <Content item={item} addresses={addresses} /> : error ? null : <ItemSkeleton />}
    </>
  )
}

interface HeadProps {
  item: InventoryItem | undefined
  backTo: string
  makeAddress: (id: string) => string
}

function Head({ item, backTo, makeAddress }: HeadProps) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const navigate = useNavigate()
  return (
    <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
      <Link to={backTo} className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2`}>
        <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
        Inventory
      </Link>
      {item ? (
        <>
          <h1 className="min-w-0 text-page font-[620] wrap-anywhere phone:order-1 phone:w-full">
            <bdi>{item.name}</bdi>
          </h1>
          <span className="phone:order-1">
            <ItemStatus item={item} />
          </span>
          <div className="ml-auto flex items-center gap-1.5 phone:order-1 phone:ml-0 phone:w-full phone:[&>:last-child]:ml-auto">
            <QrButton item={item} size="md" />
            {canChange ? (
              <>
                <Link to={makeAddress(item.id)} className={buttonClass()}>
                  Make a product
                </Link>
                <ItemMenu
                  item={item}
                  size="md"
                  // First the way out, at once: a page of an item that is gone would ask for it in vain.
                  onRemove={() => void navigate(backTo, { replace: true, flushSync: true })}
                />
                <EditButton item={item} size="md" />
              </>
            ) : null}
          </div>
        </>
      ) : null}
    </div>
  )
}

const COLUMNS = 'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_372px]'

const Content = ({ item, addresses }: { item: InventoryItem; addresses: InventoryAddresses }) => (
  <div className={COLUMNS}>
    <div className="flex min-w-0 flex-col gap-4">
      <StockCard item={item} printAddress={addresses.print} />
      <UsesCard item={item} addresses={addresses} />
      <OrdersCard item={item} orderAddress={addresses.order} />
      <HistoryCard item={item} addresses={addresses} />
    </div>
    <div className="flex min-w-0 flex-col gap-4">
      <CostCard item={item} />
      <DetailsCards item={item} modelAddress={addresses.model} />
    </div>
  </div>
)

const ItemSkeleton = () => (
  <SkeletonGroup label="Loading the item" className={COLUMNS}>
    <Skeleton className="h-72 rounded-card!" />
    <Card title={<Skeleton className="h-4 w-24" />}>
      <div className="flex flex-col gap-3 p-4">
        {Array.from({ length: 8 }, (_, index) => (
          <Skeleton key={index} className="h-4" />
        ))}
      </div>
    </Card>
  </SkeletonGroup>
)

const ItemNotFound = ({ backTo }: { backTo: string }) => (
  <Card className="p-4">
    <EmptyState
      titleLevel={1}
      icon={<Boxes size={40} strokeWidth={1} aria-hidden />}
      title="This item is not in the inventory."
      actions={
        <>
          <Link to={backTo} className={buttonClass()}>
            <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
            Inventory
          </Link>
          <Link
            to={`?${withView(new URLSearchParams({ tab: 'inventory' }), 'bin')}`}
            className={buttonClass({ variant: 'ghost' })}
          >
            Look in the bin
          </Link>
        </>
      }
    >
      It may have been deleted, or the address may be incomplete.
    </EmptyState>
  </Card>
)
