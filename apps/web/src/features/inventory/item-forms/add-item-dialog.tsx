import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { createIdenticalItems, createInventoryItem } from '@pegasus/contracts/inventory/item-changes'
import { useState } from 'react'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { ItemDialog } from './item-dialog.tsx'
import { ItemFields } from './item-fields.tsx'
import { copyOf, EMPTY_ITEM, readNewItem } from './item-form.ts'
import { modelOf, type PickedModel } from './model-picker.tsx'
import { atField, SAVE_FAILED } from './save-error.ts'
import { useTakeBackItems } from './use-item-mutations.ts'

interface AddItemDialogProps {
  /** An item to begin with; the new one has a name, a SKU and a stock of its own. */
  like?: InventoryItem
  onClose: () => void
}

/** One new item, or several that are alike. */
export function AddItemDialog({ like, onClose }: AddItemDialogProps) {
  const add = useNewItem(like, onClose)
  const { form, change, errors, model } = add
  const copies = Number(form.copies)
  return (
    <ItemDialog
      onClose={onClose}
      description={like ? <>A copy of {like.name}</> : 'A new item'}
      form={form}
      model={model}
      reserved={0}
      failure={add.failure}
      hasFieldError={Object.values(errors).some(Boolean)}
      submitLabel={copies > 1 ? `Add ${copies} items` : 'Add item'}
      isPending={add.isPending}
      hasChanges={add.hasChanges}
      onSubmit={() => void add.submit()}
    >
      <ItemFields form={form} change={change} errors={errors} model={model} onModel={add.chooseModel} />
    </ItemDialog>
  )
}

function useNewItem(like: InventoryItem | undefined, onClose: () => void) {
  const [model, setModel] = useState<PickedModel | null>(() => (like ? modelOf(like) : null))
  const tellAdded = useTellAdded()
  const state = useNewForm({
    start: () => (like ? copyOf(like) : EMPTY_ITEM),
    read: readNewItem,
    create: async (body, headers) => {
      const { copies, ...one } = body
      try {
        tellAdded(
          copies > 1
            ? await callApi(createIdenticalItems, { body, headers })
            : [await callApi(createInventoryItem, { body: one, headers })],
        )
      } catch (error) {
        throw atField(error)
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

/** Says what was added, with the way back beside it. */
function useTellAdded() {
  const refresh = useItemRefresh()
  const takeBack = useTakeBackItems()
  return (added: readonly InventoryItem[]) => {
    refresh()
    const [first] = added
    toast({
      title:
        added.length > 1 ? `${added.length} items added` : `“${first?.name}” added as ${first?.label_code}`,
      action: {
        label: 'Undo',
        onSelect: () => takeBack.mutate(added.map(({ id }) => id)),
      },
    })
  }
}
