import { type MapSkuBody, type OrderedSku, forgetSku, mapSku } from '@pegasus/contracts/orders/sku-mappings'
import { X } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { toastError } from '@/components/toast-error.ts'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import type { ReadResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { ItemSearch } from '../dialogs/item-search.tsx'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { t } from '@/lib/i18n/messages.ts'

interface Part {
  id: string
  name: string
  sku: string
  quantity: string
}

type MapResult = ReadResult<MapSkuBody, 'items'>

function readMapping(sku: string, parts: readonly Part[]): MapResult {
  const items = parts.map(({ id, quantity }) => ({
    inventory_item_id: id,
    quantity: typedNumber(quantity) ?? 0,
  }))
  if (items.length === 0) return { body: null, errors: { items: t('Choose at least one item.') } }
  if (items.some(({ quantity }) => !Number.isInteger(quantity) || quantity < 1 || quantity > 1000))
    return { body: null, errors: { items: t('Each item needs a whole number of pieces from 1 to 1,000.') } }
  return { body: { sku, items }, errors: null }
}

interface MapSkuDialogProps {
  sku: OrderedSku
  /** Gets the ids of waiting print jobs that no order needs after the decision. */
  onUnneeded: (jobs: readonly string[]) => void
  onClose: () => void
}

/** Maps a SKU to one item, or to several items for a set. */
export function MapSkuDialog({ sku, onUnneeded, onClose }: MapSkuDialogProps) {
  const orderRefresh = useOrderRefresh()
  const [start] = useState<readonly Part[]>(() =>
    sku.items.map(({ inventory_item_id: id, quantity, ...item }) => ({
      id,
      ...item,
      quantity: String(quantity),
    })),
  )
  const [parts, setParts] = useState(start)
  const refresh = () => void orderRefresh('pieces')
  const undo = async () => {
    try {
      await callApi(forgetSku, { body: { sku: sku.sku } })
    } catch (error) {
      toastError(error)
    }
    refresh()
  }
  const state = useNewForm<never, MapSkuBody, 'items'>({
    start: {},
    read: () => readMapping(sku.sku, parts),
    create: async (body) => {
      const { changed_orders: orders, proposed_cancellations: jobs } = await callApi(mapSku, { body })
      toast({
        title: t(
          '{sku} is mapped{orders, plural, =0 {} one {, and # open order is updated} other {, and # open orders are updated}}',
          { sku: sku.sku, orders },
        ),
        ...(start.length === 0 && { action: { label: t('Undo'), onSelect: () => void undo() } }),
      })
      refresh()
      onClose()
      if (jobs.length > 0) onUnneeded(jobs)
    },
  })
  const edit = (next: readonly Part[]) => {
    state.clearError('items')
    setParts(next)
  }
  return (
    <FormDialog
      state={{ ...state, hasChanges: parts !== start }}
      submitLabel={parts.length > 1 ? t('Map to a set') : t('Map')}
      onClose={onClose}
      title={t('What is {sku}?', { sku: sku.sku })}
      description={t(
        'Choose the item that this SKU stands for, or several for a set. It applies to open orders at once and to later orders automatically.',
      )}
    >
      <Field label={t('Items')} error={state.errors.items}>
        <ItemSearch
          onPick={(item) => {
            if (!parts.some(({ id }) => id === item.id))
              edit([...parts, { id: item.id, name: item.name, sku: item.sku, quantity: '1' }])
          }}
        />
      </Field>
      {parts.length > 0 ? (
        <ul className="mt-3 divide-y divide-line rounded-card border border-line">
          {parts.map((part) => (
            <li key={part.id} className="flex items-center gap-2 px-3 py-2">
              <span className="min-w-0 flex-1">
                <bdi className="block truncate font-medium" title={part.name}>
                  {part.name}
                </bdi>
                <span className="block truncate text-caption text-ink-3 code">{part.sku}</span>
              </span>
              <Input
                aria-label={t('Pieces of {name}', { name: part.name })}
                inputMode="numeric"
                autoComplete="off"
                unit={t('pcs')}
                className="w-28"
                value={part.quantity}
                onChange={({ target }) =>
                  edit(parts.map((each) => (each === part ? { ...each, quantity: target.value } : each)))
                }
              />
              <IconButton
                size="sm"
                label={t('Remove {name}', { name: part.name })}
                onClick={() => edit(parts.filter((each) => each !== part))}
              >
                <X size={14} strokeWidth={1.75} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
    </FormDialog>
  )
}
