import type { Product } from '@pegasus/contracts/products/products'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import { Images, PackagePlus, ShoppingBag, Trash2 } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { knownTotal } from '@/components/card-grid.tsx'
import { type Column, DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { FilterBar, SearchField } from '@/components/filter-bar.tsx'
import { ListError } from '@/components/list-error.tsx'
import { MediaPicture } from '@/components/media-picture.tsx'
import { type AppliedFilter, NoMatches } from '@/components/no-matches.tsx'
import { PageHead } from '@/components/page-head.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { formatAgo, formatCount, formatDateTime, formatMoney } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useList } from '@/lib/http/use-list.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { productListQuery } from '../products.queries.ts'
import { canPublish, ProductStatus } from './product-state.tsx'
import {
  type ProductFilters,
  readFilters,
  STATUS_FILTERS,
  type StatusFilter,
  withFilters,
  withProduct,
} from './products-address.ts'
import type { ProductAddresses } from './products-page.tsx'
import { PublishButton } from './publish-button.tsx'
import { RestoreButton } from './restore-button.tsx'

const ROW_HEIGHT = 68
const PHONE_ROW_HEIGHT = 92

/** The local catalogue: what is in the shop, what is on its way, and what did not get there. */
export function ProductList({ addresses }: { addresses: ProductAddresses }) {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const mayWrite = isEmployeeOrHigher(useCurrentUser().role)
  const { list, items, count, isLoading, isEmpty, paging } = useList(productListQuery(filters))
  const nowMs = useNow()
  const apply = (next: ProductFilters) => setParams(withFilters(params, next))
  const applied = appliedFilters(filters, apply)
  const addressOf = (id: string) => `?${withProduct(params, id)}`
  return (
    <>
      {filters.isBin ? (
        <PageHead backTo="/?tab=products" backLabel="Products" title="Bin" />
      ) : (
        <h1 className="sr-only">Products</h1>
      )}
      <FilterBar
        appliedKey={JSON.stringify(filters)}
        onApply={(field) =>
          apply({
            ...filters,
            search: field('search'),
            status: STATUS_FILTERS.find((status) => status === field('status')) ?? null,
          })
        }
        count={count}
        one="product"
        actions={
          <div className="flex flex-wrap items-center gap-2">
            <RefreshButton queries={[list]} />
            {filters.isBin ? null : (
              <Link to={`?${withFilters(params, { ...filters, isBin: true })}`} className={buttonClass()}>
                <Trash2 size={16} strokeWidth={1.75} aria-hidden />
                Bin
              </Link>
            )}
            {mayWrite && !filters.isBin ? (
              <>
                <Link to={addresses.media} className={buttonClass()}>
                  <Images size={16} strokeWidth={1.75} aria-hidden />
                  Upload media
                </Link>
                <NewProduct to={addresses.wizard} />
              </>
            ) : null}
          </div>
        }
      >
        <SearchField label="Search name or slug" value={filters.search} />
        <Select
          name="status"
          aria-label="Status"
          defaultValue={filters.status ?? ''}
          className="w-44 phone:min-w-[40%] phone:flex-1"
        >
          <option value="">Any status</option>
          {STATUS_FILTERS.map((status) => (
            <option key={status} value={status}>
              {filterWord(status)}
            </option>
          ))}
        </Select>
      </FilterBar>
      <ListError name="The product list" list={list} />
      {isLoading ? (
        <TableSkeleton
          label="Loading the products"
          rowHeight={ROW_HEIGHT}
          phoneRowHeight={PHONE_ROW_HEIGHT}
        />
      ) : null}
      {isEmpty && applied.length > 0 ? (
        <NoMatches
          title="No products found"
          filters={applied}
          onClearAll={() => apply({ ...filters, search: '', status: null })}
        />
      ) : null}
      {isEmpty && applied.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<ShoppingBag size={28} strokeWidth={1.4} aria-hidden />}
            title={filters.isBin ? 'The bin is empty' : 'No products yet'}
            titleLevel={2}
            actions={mayWrite && !filters.isBin ? <NewProduct to={addresses.wizard} /> : null}
          >
            {filters.isBin
              ? 'Products that are put here can be restored for 30 days.'
              : 'What the shop sells is kept here too: with its price, its pictures, and whether the shop has it. Four steps lead from a model of the library to a product.'}
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <DataTable
          {...paging}
          label="Products"
          columns={columnsOf({ addressOf, nowMs, mayWrite, isBin: filters.isBin })}
          rows={items}
          total={knownTotal(count ?? undefined)}
          rowHeight={ROW_HEIGHT}
          phoneRow={(product) => <PhoneRow product={product} to={addressOf(product.id)} />}
          phoneRowHeight={PHONE_ROW_HEIGHT}
        />
      ) : null}
    </>
  )
}

const NewProduct = ({ to }: { to: string }) => (
  <Link to={to} className={buttonClass({ variant: 'primary' })}>
    <PackagePlus size={16} strokeWidth={1.75} aria-hidden />
    New product
  </Link>
)

export const ProductPicture = ({ product, className }: { product: Product; className: string }) => {
  const picture = product.posterUrl ?? product.images[0]
  return picture ? (
    <MediaPicture src={picture} width={160} className={className} />
  ) : (
    <PartPicture src={product.stl_thumbnail_path} className={className} />
  )
}

interface ColumnsOf {
  addressOf: (id: string) => string
  nowMs: number
  mayWrite: boolean
  isBin: boolean
}

const columnsOf = ({ addressOf, nowMs, mayWrite, isBin }: ColumnsOf): readonly Column<Product>[] => [
  {
    id: 'product',
    head: 'Product',
    track: 'minmax(0,2fr)',
    cell: (product) => (
      <div className="flex items-center gap-3">
        <ProductPicture product={product} className="size-14" />
        <div className="min-w-0">
          {isBin ? (
            <bdi className="line-clamp-2 font-medium">{product.name}</bdi>
          ) : (
            <Link
              to={addressOf(product.id)}
              className="line-clamp-2 font-medium after:absolute after:inset-0 hover:underline"
              title={product.name}
            >
              <bdi>{product.name}</bdi>
            </Link>
          )}
          <span className="block truncate text-caption text-ink-3">{product.slug}</span>
        </div>
      </div>
    ),
  },
  {
    id: 'category',
    head: 'Category',
    track: 'minmax(0,0.7fr)',
    from: 900,
    cell: (product) => <span className="truncate text-ink-2">{product.category}</span>,
  },
  {
    id: 'status',
    head: 'Status',
    track: 'minmax(0,1.4fr)',
    cell: (product) => <ProductStatus product={product} />,
  },
  {
    id: 'published',
    head: 'Published',
    track: 'minmax(0,0.7fr)',
    from: 1000,
    cell: ({ published_at: at }) =>
      at === null ? null : (
        <span className="block truncate text-label text-ink-2" title={formatDateTime(at)}>
          {formatAgo(at, nowMs)}
        </span>
      ),
  },
  {
    id: 'stock',
    head: 'Stock',
    track: '72px',
    isNumber: true,
    from: 760,
    cell: (product) => formatCount(product.stock),
  },
  {
    id: 'price',
    head: 'Price',
    track: '104px',
    isNumber: true,
    cell: (product) => <span className="font-semibold">{formatMoney(product.price)}</span>,
  },
  ...(mayWrite
    ? [
        {
          id: 'actions',
          head: 'Actions',
          track: '150px',
          isNumber: true,
          cell: (product: Product) =>
            isBin ? (
              <RestoreButton product={product} />
            ) : canPublish(product) ? (
              <PublishButton product={product} size="sm" isInList />
            ) : null,
        },
      ]
    : []),
]

const PhoneRow = ({ product, to }: { product: Product; to: string }) => {
  const content = (
    <>
      <ProductPicture product={product} className="size-16" />
      <span className="min-w-0 flex-1">
        <bdi className="line-clamp-2 font-medium">{product.name}</bdi>
        <ProductStatus product={product} />
      </span>
      <span className="font-semibold whitespace-nowrap">{formatMoney(product.price)}</span>
    </>
  )
  return product.deleted_at === null ? (
    <Link to={to} className="flex items-center gap-3 px-4 py-3 -outline-offset-2">
      {content}
    </Link>
  ) : (
    <div className="flex flex-wrap items-center gap-3 px-4 py-3">
      {content}
      <RestoreButton product={product} />
    </div>
  )
}

const filterWord = (status: StatusFilter): string =>
  status === 'differs' ? 'Differs from the shop' : STATUS_DISPLAY[status].label

function appliedFilters(filters: ProductFilters, apply: (next: ProductFilters) => void): AppliedFilter[] {
  const { search, status } = filters
  const found: (AppliedFilter | null)[] = [
    search
      ? { name: `“${search}”`, clearLabel: 'Clear search', onClear: () => apply({ ...filters, search: '' }) }
      : null,
    status
      ? {
          name: filterWord(status),
          clearLabel: 'Clear status',
          onClear: () => apply({ ...filters, status: null }),
        }
      : null,
  ]
  return found.filter((filter) => filter !== null)
}
