import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { EntityColumns, EntityPage, SkeletonCard } from '@/components/kit/entity-page.tsx'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { withView } from '../inventory-address.ts'
import { itemQuery } from '../inventory.queries.ts'
import type { InventoryAddresses } from '../inventory-address.ts'
import { EditButton, ItemMenu, QrButton } from '../items/item-actions.tsx'
import { ItemStatus } from '../items/item-parts.tsx'
import { CostCard } from './cost-card.tsx'
import { DetailsCards } from './details-cards.tsx'
import { HistoryCard } from './history-card.tsx'
import { ProductionCard } from '@/components/production/production-card.tsx'
import { useProductionRows } from '@/components/production/production.queries.ts'
import { OrdersCard } from './orders-card.tsx'
import { StockChart } from './stock-chart.tsx'
import { StockCard } from './stock-card.tsx'
import { UsesCard } from './uses-card.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface ItemPageProps {
  id: string
  /** Address of the list with its filters. */
  backTo: string
  addresses: InventoryAddresses
}

/** The page of an item: stock, history, costs, details and actions. */
export function ItemPage({ id, backTo, addresses }: ItemPageProps) {
  const production = useProductionRows({ inventory_item_id: id })
  const canChange = hasRole(useCurrentUser().role, 'staff')
  return (
    <EntityPage
      query={useQuery(itemQuery(id))}
      list={{ to: backTo, name: t('Inventory'), one: 'item' }}
      name={({ name }) => name}
      badges={(item) => (
        <span>
          <ItemStatus item={item} />
        </span>
      )}
      actions={(item, leave) => (
        <>
          <QrButton item={item} size="md" />
          {canChange ? (
            <>
              <Link to={addresses.make(item.id)} className={buttonClass()}>
                {t('Make a product')}
              </Link>
              <ItemMenu item={item} size="md" onRemove={leave} />
              <EditButton item={item} size="md" />
            </>
          ) : null}
        </>
      )}
      notFound={{
        title: t('This item is not in the inventory.'),
        text: t('It may have been deleted, or the address may be incomplete.'),
        trashTo: `?${withView(new URLSearchParams({ tab: 'inventory' }), 'bin')}`,
      }}
      skeleton={
        <EntityColumns>
          <Skeleton className="h-72 rounded-card!" />
          <SkeletonCard lines={8} lineHeight="h-4" />
        </EntityColumns>
      }
    >
      {(item) => (
        <EntityColumns>
          <div className="flex min-w-0 flex-col gap-4">
            <StockCard item={item} printAddress={addresses.print} />
            <StockChart item={item} />
            <UsesCard item={item} addresses={addresses} />
            <OrdersCard item={item} orderAddress={addresses.order} />
            <ProductionCard rows={production} />
            <HistoryCard item={item} addresses={addresses} />
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <CostCard item={item} />
            <DetailsCards item={item} modelAddress={addresses.model} />
          </div>
        </EntityColumns>
      )}
    </EntityPage>
  )
}
