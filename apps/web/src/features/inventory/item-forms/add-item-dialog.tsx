import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { createIdenticalItems, createInventoryItem } from '@pegasus/contracts/inventory/item-changes'
import { useState } from 'react'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { differing, errorsAtFields, type FieldErrors } from '@/lib/forms/form-merge.ts'
import { useRetryKey } from '@/lib/http/use-retry-key.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { ItemDialog } from './item-dialog.tsx'
import { ItemFields } from './item-fields.tsx'
import {
  copyOf,
  EMPTY_ITEM,
  isNewItemField,
  type NewItemField,
  type NewItemForm,
  readNewItem,
} from './item-form.ts'
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
  const [start] = useState<NewItemForm>(() => (like ? copyOf(like) : EMPTY_ITEM))
  const [form, setForm] = useState(start)
  const [model, setModel] = useState<PickedModel | null>(() => (like ? modelOf(like) : null))
  const [errors, setErrors] = useState<FieldErrors<NewItemField>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const retryKey = useRetryKey()
  const tellAdded = useTellAdded()

  const change = (part: Partial<NewItemForm>) => {
    setForm((now) => ({ ...now, ...part }))
    setErrors((now) => ({
      ...now,
      ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])),
    }))
  }
  const send = async () => {
    const { body, errors: found } = readNewItem(form)
    setErrors(found ?? {})
    setFailure(null)
    if (!body) return
    setIsPending(true)
    try {
      const { copies, ...one } = body
      const headers = retryKey(body)
      const added =
        copies > 1
          ? await callApi(createIdenticalItems, { body, headers })
          : [await callApi(createInventoryItem, { body: one, headers })]
      tellAdded(added)
      onClose()
    } catch (error) {
      const refusal = atField(error)
      if (refusal instanceof ApiError) setErrors(errorsAtFields(refusal.errors, isNewItemField))
      setFailure(errorMessage(refusal, SAVE_FAILED))
      setIsPending(false)
    }
  }
  return {
    form,
    hasChanges: differing(start, form).length > 0,
    change,
    errors,
    failure,
    isPending,
    model,
    chooseModel: (chosen: PickedModel | null) => {
      setModel(chosen)
      change({ stl_file_id: chosen?.id ?? '' })
    },
    submit: send,
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
