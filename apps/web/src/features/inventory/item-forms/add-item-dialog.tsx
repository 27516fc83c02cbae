import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { createIdenticalItems, createInventoryItem } from '@pegasus/contracts/inventory/item-changes'
import { useState } from 'react'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { ItemDialog } from './item-dialog.tsx'
import { ItemFields } from './item-fields.tsx'
import { copyOf, EMPTY_ITEM, readNewItem } from './item-form.ts'
import { modelOf, type PickedModel } from './model-picker.tsx'
import { moveErrorToField, SAVE_FAILED } from './save-error.ts'
import { useUndoAddItems } from './use-item-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'

interface AddItemDialogProps {
  /** The item to copy. Name, SKU and stock are not copied. */
  like?: InventoryItem
  /** Fields that are filled in already. */
  start?: { name: string; sku: string }
  onClose: () => void
}

/** Adds a new item, or several identical ones. */
export function AddItemDialog(props: AddItemDialogProps) {
  const { like, onClose } = props
  const add = useNewItem(props)
  const { form, change, errors, model } = add
  const copies = typedNumber(form.copies) ?? 1
  return (
    <ItemDialog
      state={add}
      submitLabel={copies > 1 ? t('Add {copies} items', { copies }) : t('Add item')}
      description={like ? <>{t('A copy of {name}', { name: like.name })}</> : t('A new item')}
      model={model}
      reserved={0}
      onClose={onClose}
    >
      <ItemFields form={form} change={change} errors={errors} model={model} onModel={add.chooseModel} />
    </ItemDialog>
  )
}

function useNewItem({ like, start, onClose }: AddItemDialogProps) {
  const [model, setModel] = useState<PickedModel | null>(() => (like ? modelOf(like) : null))
  const announce = useAnnounceAdded()
  const state = useNewForm({
    start: () => (like ? copyOf(like) : { ...EMPTY_ITEM, ...start }),
    read: readNewItem,
    create: async (body, headers) => {
      const { copies, ...one } = body
      try {
        announce(
          copies > 1
            ? await callApi(createIdenticalItems, { body, headers })
            : [await callApi(createInventoryItem, { body: one, headers })],
        )
      } catch (error) {
        throw moveErrorToField(error)
      }
      onClose()
    },
    describeError: (error) => errorMessage(error, SAVE_FAILED),
  })
  return {
    ...state,
    model,
    chooseModel: (chosen: PickedModel | null) => {
      setModel(chosen)
      state.change({ stl_file_id: chosen?.id ?? '' })
    },
  }
}

/** Returns a function that announces the added items and offers Undo. */
function useAnnounceAdded() {
  const refresh = useItemRefresh()
  const undo = useUndoAddItems()
  return (added: readonly InventoryItem[]) => {
    refresh()
    const [first] = added
    toast({
      title:
        added.length > 1
          ? t('{added} items added', { added: added.length })
          : t('“{name}” added as {label_code}', { name: first?.name, label_code: first?.label_code }),
      action: {
        label: t('Undo'),
        onSelect: () => undo.mutate(added.map(({ id }) => id)),
      },
    })
  }
}
