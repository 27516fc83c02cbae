import { TRASH_DAYS } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { Images, PackagePlus, ShoppingBag, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Column } from '@/components/data-table.tsx'
import { MediaPicture } from '@/components/media-picture.tsx'
import { choiceFilter, type ListFilters, searchFilter, useListState } from '@/components/kit/list-filters.tsx'
import { ListPage, type ListTexts } from '@/components/kit/list-page.tsx'
import { PageHead } from '@/components/page-head.tsx'
import { PageLinks } from '@/components/page-links.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { formatAgo, formatCount, formatDateTime, formatMoney } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { productListQuery } from '../products.queries.ts'
import { isWithoutOffer, offerSum, shopStockOf } from './offered-stock.tsx'
import { ProductStatus, productStatusLabel } from './product-state.tsx'
import {
  type ProductFilters,
  readFilters,
  STATUS_FILTERS,
  withFilters,
  withProduct,
  type ProductAddresses,
} from './products-address.ts'
import {
  ACTIONS_TRACK,
  hasAction,
  isSoldOut,
  RestoreButton,
  RowAction,
  type RowActions,
} from './row-actions.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'
import { CATEGORY_LABELS } from '../product-form/category-labels.ts'

const FIELDS: ListFilters<ProductFilters> = [
  searchFilter(t('Search name or slug')),
  choiceFilter({
    name: 'status',
    label: t('Status'),
    any: t('Any status'),
    clearLabel: t('Clear status'),
    values: STATUS_FILTERS,
    labelOf: (status) => {
      if (status === 'differs') return t('Differs from the shop')
      return status === 'failed' ? t('Publication failed') : STATUS_LABELS[status]
    },
    className: 'w-44',
  }),
]

const TEXTS: ListTexts = {
  name: t('The product list'),
  one: 'product',
  loading: t('Loading the products'),
  noMatches: t('No products found'),
}

/** The local catalog: published products, drafts and failed publications, or the trash. */
export function ProductList({ addresses }: { addresses: ProductAddresses }) {
  const state = useListState({
    read: readFilters,
    write: withFilters,
    fields: FIELDS,
    query: productListQuery,
  })
  const { params, filters, data } = state
  const { isTrash } = filters
  const mayWrite = isEmployeeOrHigher(useCurrentUser().role)
  const nowMs = useNow()
  const addressOf = (id: string) => `?${withProduct(params, id)}`
  const isPhone = useIsPhone()
  const links = [
    { to: `?${withFilters(params, { ...filters, isTrash: true })}`, label: t('Trash'), Icon: Trash2 },
    ...(mayWrite ? [{ to: addresses.media, label: t('Upload media'), Icon: Images }] : []),
  ]
  return (
    <ListPage
      heading={
        isTrash ? (
          <PageHead backTo="/?tab=products" backLabel={t('Products')} title={t('Trash')} />
        ) : (
          t('Products')
        )
      }
      state={state}
      texts={TEXTS}
      actions={
        isTrash ? (
          <RefreshButton queries={[data.list]} />
        ) : (
          <>
            <PageLinks menuLabel={t('More about products')} links={links} queries={[data.list]} />
            {mayWrite ? <NewProduct to={addresses.wizard} isIconOnly={isPhone} /> : null}
          </>
        )
      }
      empty={
        isTrash
          ? {
              icon: ShoppingBag,
              title: t('The trash is empty'),
              text: t('Deleted products can be restored for {TRASH_DAYS} days.', { TRASH_DAYS }),
            }
          : {
              icon: ShoppingBag,
              title: t('No products yet'),
              text: t(
                'The products of the shop are listed here with their price, their pictures and their state in the shop. Four steps turn a model into a product.',
              ),
              actions: mayWrite ? <NewProduct to={addresses.wizard} /> : null,
            }
      }
      rows={{
        name: 'products',
        label: t('Products'),
        columns: columnsOf({
          addressOf,
          nowMs,
          isTrash,
          actions: data.items.some((product) => hasAction(product, mayWrite))
            ? { mayWrite, printAddress: addresses.print }
            : null,
        }),
        rowHeight: 68,
        phoneRow: (product) => <PhoneRow product={product} to={addressOf(product.id)} />,
        phoneRowHeight: 92,
      }}
    />
  )
}

const NewProduct = ({ to, isIconOnly = false }: { to: string; isIconOnly?: boolean }) => (
  <Link
    to={to}
    className={`${buttonClass({ variant: 'primary' })} ${isIconOnly ? 'min-w-11' : ''}`}
    title={t('New product')}
  >
    <PackagePlus {...ICON} />
    <span className={isIconOnly ? 'sr-only' : undefined}>{t('New product')}</span>
  </Link>
)

export const ProductPicture = ({ product, className }: { product: Product; className: string }) => {
  const picture = product.posterUrl ?? product.images[0]
  return picture ? (
    <MediaPicture src={picture} width={160} className={className} />
  ) : (
    <PartPicture src={product.stl_thumbnail_path} icon={ShoppingBag} className={className} />
  )
}

/** The stock in the shop. A published product that is out of stock cannot be sold. */
function StockCell({ product }: { product: Product }) {
  const stock = shopStockOf(product)
  return (
    <span
      className={isSoldOut(product) ? 'font-semibold text-red-ink' : undefined}
      title={offerSum(product) ?? undefined}
    >
      {formatCount(stock)}
      {isSoldOut(product) ? <span className="block text-caption font-normal">{t('sold out')}</span> : null}
      {isWithoutOffer(product) ? (
        <span className="block text-caption font-normal text-ink-3">{t('no item')}</span>
      ) : null}
    </span>
  )
}

interface ColumnsOf {
  addressOf: (id: string) => string
  nowMs: number
  /** Null if the person can do nothing in any row. */
  actions: RowActions | null
  isTrash: boolean
}

const columnsOf = ({ addressOf, nowMs, actions, isTrash }: ColumnsOf): readonly Column<Product>[] => [
  {
    id: 'product',
    head: t('Product'),
    track: 'minmax(180px,2fr)',
    value: ({ name }) => name,
    cell: (product) => (
      <div className="flex items-center gap-3">
        <ProductPicture product={product} className="size-14" />
        <div className="min-w-0">
          {isTrash ? (
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
    head: t('Category'),
    track: 'minmax(0,0.7fr)',
    from: 900,
    value: ({ category }) => CATEGORY_LABELS[category],
    cell: (product) => (
      // The specification's names are in lower case. `first-letter` works only in a block.
      <span className="block truncate text-ink-2 first-letter:uppercase">
        {CATEGORY_LABELS[product.category]}
      </span>
    ),
  },
  {
    id: 'status',
    head: t('Status'),
    track: 'minmax(0,1.4fr)',
    from: 680,
    value: productStatusLabel,
    cell: (product) => <ProductStatus product={product} />,
  },
  {
    id: 'published',
    head: t('Published'),
    track: 'minmax(0,0.7fr)',
    from: 1000,
    value: ({ published_at: at }) => at,
    cell: ({ published_at: at }) =>
      at === null ? null : (
        <span className="block truncate text-label text-ink-2" title={formatDateTime(at)}>
          {formatAgo(at, nowMs)}
        </span>
      ),
  },
  {
    id: 'stock',
    head: t('Stock'),
    track: '72px',
    isNumber: true,
    from: 760,
    value: shopStockOf,
    cell: (product) => <StockCell product={product} />,
  },
  {
    id: 'price',
    head: t('Price'),
    track: '104px',
    isNumber: true,
    value: ({ price }) => price,
    cell: (product) => <span className="font-semibold">{formatMoney(product.price)}</span>,
  },
  ...(actions
    ? [
        {
          id: 'actions',
          head: t('Actions'),
          track: ACTIONS_TRACK,
          isNumber: true,
          cell: (product: Product) => <RowAction product={product} {...actions} />,
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
      <span className="text-end whitespace-nowrap">
        <span className="block font-semibold">{formatMoney(product.price)}</span>
        {isSoldOut(product) ? (
          <span className="text-caption text-red-ink">{t('sold out')}</span>
        ) : product.offered_stock === null ? null : (
          <span className="text-caption text-ink-3">
            {t('{offered_stock} offered', { offered_stock: formatCount(product.offered_stock) })}
          </span>
        )}
      </span>
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
