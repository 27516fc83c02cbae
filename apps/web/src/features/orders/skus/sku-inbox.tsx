import { restoreInventoryItem } from '@pegasus/contracts/inventory/item-changes'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import {
  type OrderedSku,
  type SkuState,
  forgetSku,
  ignoreSku,
  mapSku,
} from '@pegasus/contracts/orders/sku-mappings'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ListError } from '@/components/list-error.tsx'
import { toastError } from '@/components/toast-error.ts'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatCount, formatDate } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { callApi } from '@/lib/http/api.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { ReportHead } from '@/components/page-head.tsx'
import { WaitingJobsDialog } from '../dialogs/waiting-jobs-dialog.tsx'
import { MapSkuDialog } from './map-sku-dialog.tsx'
import { skusQuery } from '../orders.queries.ts'
import { skuInboxAddress, withOrder, withSkuState } from '../orders-address.ts'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { t } from '@/lib/i18n/messages.ts'

const LABELS: Readonly<Record<SkuState, string>> = {
  unknown: t('Unknown'),
  mapped: t('Mapped'),
  ignored: t('Ignored'),
}

const EMPTY: Readonly<Record<SkuState, { title: string; text: string }>> = {
  unknown: {
    title: t('Every SKU is known'),
    text: t('SKUs from a shop that match no inventory item wait here until you map or ignore them.'),
  },
  mapped: {
    title: t('No SKU is mapped'),
    text: t(
      'Map an unknown SKU to one item, or to several for a set. Later orders with this SKU are mapped automatically.',
    ),
  },
  ignored: {
    title: t('No SKU is ignored'),
    text: t('Ignore SKUs that use no stock, such as gift wrapping.'),
  },
}

interface SkuInboxProps {
  state: SkuState
  newItemAddress: (of: { name: string; sku: string }) => string
}

/** Lists the ordered SKUs that match no item, and the mappings of SKUs. */
export function SkuInbox({ state, newItemAddress }: SkuInboxProps) {
  const [params, setParams] = useSearchParams()
  const query = useQuery(skusQuery(state))
  usePageTitle(t('SKU inbox'))
  const skus = query.data?.items
  // The row of a SKU leaves the list after a decision, so the dialog about its print jobs is rendered here.
  const [unneeded, setUnneeded] = useState<{ what: string; jobs: readonly string[] } | null>(null)
  return (
    <>
      <ReportHead backTo={`?${withSkuState(params, null)}`} backLabel={t('Orders')} title={t('SKU inbox')}>
        <SegmentedControl
          className="phone:w-full phone:*:flex-1 phone:*:justify-center"
          label={t('SKUs')}
          value={state}
          options={LABELS}
          onChange={(chosen) => setParams(withSkuState(params, chosen), { replace: true })}
        />
      </ReportHead>
      <ListError name={t('The SKU inbox')} list={query} />
      {skus === undefined && !query.isError ? <Loading /> : null}
      {skus?.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<Inbox size={28} strokeWidth={1.4} aria-hidden />}
            title={EMPTY[state].title}
            titleLevel={2}
          >
            {EMPTY[state].text}
          </EmptyState>
        </Card>
      ) : null}
      {skus && skus.length > 0 ? (
        <Card>
          <ul className="divide-y divide-line">
            {skus.map((sku) => (
              <SkuRow
                key={sku.sku}
                sku={sku}
                state={state}
                newItemAddress={newItemAddress}
                onUnneeded={(jobs) => setUnneeded({ what: sku.sku, jobs })}
                orderAddress={(id) => `?${withOrder(withSkuState(params, null), id)}`}
              />
            ))}
          </ul>
        </Card>
      ) : null}
      {unneeded ? <WaitingJobsDialog {...unneeded} onClose={() => setUnneeded(null)} /> : null}
    </>
  )
}

const Loading = () => (
  <Card>
    <SkeletonLines label={t('Loading the SKU inbox')} lineClass="h-11" />
  </Card>
)

interface SkuRowProps extends SkuInboxProps {
  sku: OrderedSku
  orderAddress: (id: string) => string
  onUnneeded: (jobs: readonly string[]) => void
}

function SkuRow({ sku, state, newItemAddress, orderAddress, onUnneeded }: SkuRowProps) {
  const canChange = isEmployeeOrHigher(useCurrentUser().role)
  const [isMapping, setIsMapping] = useState(false)
  const decide = useSkuDecision(sku, state, onUnneeded)
  const restore = useRestoredItem()
  const decision = (verb: string, label: string, onClick: () => void) => (
    <Button size="sm" aria-label={label} isPending={decide.isPending} onClick={onClick}>
      {verb}
    </Button>
  )
  return (
    <li className="flex items-center gap-3 px-4 py-3 phone:flex-col phone:items-stretch">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          <span className="code">{sku.sku}</span>
        </p>
        {sku.name ? (
          <p className="text-label text-ink-2 wrap-anywhere">
            <bdi>{sku.name}</bdi>
          </p>
        ) : null}
        {sku.items.length > 0 ? <Meaning items={sku.items} /> : null}
        {sku.deleted_items.length > 0 ? <DeletedItems items={sku.deleted_items} /> : null}
        <p className="text-caption text-ink-3">
          <Occurrence sku={sku} />
          {sku.orders.map((order, index) => (
            <Fragment key={order.id}>
              {index === 0 ? ' · ' : ', '}
              <Link to={orderAddress(order.id)} className="link code">
                {order.order_number}
              </Link>
            </Fragment>
          ))}
        </p>
      </div>
      {canChange ? (
        <div className="flex flex-wrap items-center gap-1.5">
          <Button
            size="sm"
            variant={state === 'unknown' ? 'primary' : 'secondary'}
            aria-label={t('Map {sku}', { sku: sku.sku })}
            onClick={() => setIsMapping(true)}
          >
            {state === 'mapped' ? t('Change') : t('Map to an item')}
          </Button>
          {sku.deleted_items.map(
            ({ inventory_item_id: id, name, is_restorable: isRestorable }) =>
              isRestorable && (
                <Button
                  key={id}
                  size="sm"
                  aria-label={t('Restore {name}', { name })}
                  isPending={restore.isPending && restore.variables.id === id}
                  onClick={() => restore.mutate({ id, name })}
                >
                  {sku.deleted_items.length > 1 ? t('Restore {name}', { name }) : t('Restore')}
                </Button>
              ),
          )}
          {state === 'unknown' ? (
            <>
              <Link
                to={newItemAddress({ name: sku.name, sku: sku.sku })}
                className={buttonClass({ size: 'sm' })}
                aria-label={t('New item for {sku}', { sku: sku.sku })}
              >
                {t('New item')}
              </Link>
              {decision(t('Ignore'), t('Ignore {sku}', { sku: sku.sku }), decide.ignore)}
            </>
          ) : (
            decision(t('Forget'), t('Forget {sku}', { sku: sku.sku }), decide.forget)
          )}
        </div>
      ) : null}
      {isMapping ? (
        <MapSkuDialog sku={sku} onUnneeded={onUnneeded} onClose={() => setIsMapping(false)} />
      ) : null}
    </li>
  )
}

/** Shows the items that a SKU is mapped to: `= 1 × Dragon (DRG-1) + 2 × Egg (EGG)`. */
const Meaning = ({ items }: Pick<OrderedSku, 'items'>) => (
  <p className="text-label wrap-anywhere">
    ={' '}
    {items.map(
      (item, index): ReactNode => (
        <Fragment key={item.inventory_item_id}>
          {index > 0 ? ' + ' : ''}
          {formatCount(item.quantity)} × <bdi>{item.name}</bdi>{' '}
          <span className="code text-ink-3">{item.sku}</span>
        </Fragment>
      ),
    )}
  </p>
)

/** Says why a mapped SKU is unknown in new orders: `Its item is in the trash: Egg (EGG)`. */
function DeletedItems({ items }: { items: OrderedSku['deleted_items'] }) {
  const names = items.map(({ name, sku }) => `${name} (${sku})`).join(', ')
  const values = { items: items.length, names }
  return (
    <p className="text-label text-ink-2 wrap-anywhere">
      {items.every((item) => item.is_restorable)
        ? t('{items, plural, one {Its item is} other {# of its items are}} in the trash: {names}', values)
        : t('{items, plural, one {Its item was} other {# of its items were}} deleted: {names}', values)}
    </p>
  )
}

/** Restores an item from the trash, so that the mappings to it apply again. */
function useRestoredItem() {
  const refresh = useOrderRefresh()
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => callApi(restoreInventoryItem, { params: { id } }),
    onSuccess: (_, { name }) => toast({ title: t('{thing} is back', { thing: name }) }),
    onError: toastError,
    onSettled: () => refresh('pieces'),
  })
}

/** Shows how often a SKU was ordered: `3 orders, 7 pieces, since 2 Nov 2026`. */
function Occurrence({ sku }: { sku: OrderedSku }) {
  if (sku.first_seen_at === null) return t('Not ordered yet')
  return t(
    '{order_count, plural, one {# order} other {# orders}}, {quantity, plural, one {# piece} other {# pieces}}, since {first_seen_at}',
    { order_count: sku.order_count, quantity: sku.quantity, first_seen_at: formatDate(sku.first_seen_at) },
  )
}

/** Ignores a SKU, or removes its mapping. */
function useSkuDecision(
  { sku, items, deleted_items: deleted }: OrderedSku,
  state: SkuState,
  onUnneeded: SkuRowProps['onUnneeded'],
) {
  // There is no Undo for a mapping with a deleted item, because such a mapping cannot be made again.
  const decided = state === 'unknown' || deleted.length > 0 ? null : state
  const refresh = useOrderRefresh()
  const settle = {
    onError: toastError,
    onSettled: () => refresh('pieces'),
  }
  const forget = useMutation({
    mutationFn: () => callApi(forgetSku, { body: { sku } }),
    onSuccess: () =>
      toast({
        title: t('{sku} is unknown again', { sku }),
        ...(decided && { action: { label: t('Undo'), onSelect: () => restore.mutate(decided) } }),
      }),
    ...settle,
  })
  /** Undoes the removal of the decision about a SKU: ignores it again, or maps it again. */
  const restore = useMutation({
    mutationFn: (as: Exclude<SkuState, 'unknown'>) =>
      as === 'ignored'
        ? callApi(ignoreSku, { body: { sku } })
        : callApi(mapSku, {
            body: {
              sku,
              items: items.map(({ inventory_item_id, quantity }) => ({ inventory_item_id, quantity })),
            },
          }),
    onSuccess: ({ proposed_cancellations: jobs }, as) => {
      toast({
        title: as === 'ignored' ? t('{sku} is ignored', { sku }) : t('{sku} is mapped again', { sku }),
      })
      if (jobs.length > 0) onUnneeded(jobs)
    },
    ...settle,
  })
  const ignore = useMutation({
    mutationFn: () => callApi(ignoreSku, { body: { sku } }),
    onSuccess: ({ proposed_cancellations: jobs }) => {
      toast({
        title: t('{sku} is ignored', { sku }),
        action: { label: t('Undo'), onSelect: () => forget.mutate() },
      })
      if (jobs.length > 0) onUnneeded(jobs)
    },
    ...settle,
  })
  return {
    isPending: ignore.isPending || forget.isPending,
    ignore: () => ignore.mutate(),
    forget: () => forget.mutate(),
  }
}

/**
 * Shows the number of unknown SKUs above the order list, on a phone in the line with the count. Renders nothing if there
 * are none.
 */
export function UnknownSkusNote() {
  const { data } = useQuery(skusQuery('unknown'))
  const isPhone = useIsPhone()
  if (!data || data.items.length === 0) return null
  const link = (
    <Link to={skuInboxAddress} className="link">
      {t('{items, plural, one {# unknown SKU} other {# unknown SKUs}}', { items: data.items.length })}
    </Link>
  )
  if (isPhone)
    return (
      <>
        {' · '}
        {link}
      </>
    )
  return (
    <AlertBox tone="note" className="mb-3">
      {link} {t('in open orders.')}{' '}
      {t(
        'Map {items, plural, one {it} other {them}} to items, so that the pieces can be reserved and printed.',
        { items: data.items.length },
      )}
    </AlertBox>
  )
}
