import { getInventoryItem, type InventoryItem } from '@pegasus/contracts/inventory/items'
import { type UpdateItemBody, updateInventoryItem } from '@pegasus/contracts/inventory/item-changes'
import { useState } from 'react'
import { EditConflict, OtherValue } from '@/components/edit-conflict.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { useMergedEdit } from '@/lib/forms/use-merged-edit.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { LastMovement } from '../stock/last-movement.tsx'
import { ItemDialog } from './item-dialog.tsx'
import { ItemFields } from './item-fields.tsx'
import { formOf, ITEM_LABELS, type ItemForm, readItemEdit } from './item-form.ts'
import { modelOf, type PickedModel } from './model-picker.tsx'
import { moveErrorToField } from './save-error.ts'
import { t } from '@/lib/i18n/messages.ts'

interface EditItemDialogProps {
  item: InventoryItem
  onClose: () => void
}

/** Edits an item. If somebody else saves first, it shows their changes and keeps the typed text. */
export function EditItemDialog({ item, onClose }: EditItemDialogProps) {
  const refresh = useItemRefresh()
  const { id } = item
  // The form contains model ids; this map has the models with their names.
  const [models, setModels] = useState(() => withModelOf(new Map(), item))
  const edit = useMergedEdit({
    thing: item,
    formOf,
    read: readItemEdit,
    save: async ({ body, revision }: { body: UpdateItemBody; revision: number }) => {
      try {
        return await callApi(updateInventoryItem, {
          params: { id },
          body,
          headers: ifMatch(revision),
        })
      } catch (error) {
        throw moveErrorToField(error)
      }
    },
    reread: async () => {
      const current = await callApi(getInventoryItem, { params: { id } })
      setModels((known) => withModelOf(known, current))
      return current
    },
    onSaved: (saved) => {
      if (saved) {
        refresh(saved)
        toast({ title: t('“{name}” saved', { name: saved.name }) })
      }
      onClose()
    },
  })
  const { form, change, errors, merge } = edit
  const describeValue = (field: keyof ItemForm, text: string) =>
    field === 'stl_file_id' ? (models.get(text)?.name ?? text) : text
  const model = models.get(form.stl_file_id) ?? null
  return (
    <ItemDialog
      state={edit}
      submitLabel={merge ? t('Save again') : t('Save item')}
      description={<span className="code">{item.sku}</span>}
      model={model}
      reserved={item.reserved_quantity}
      aside={<LastMovement itemId={id} />}
      onClose={onClose}
    >
      {merge ? (
        <EditConflict merge={merge} labels={ITEM_LABELS} describeValue={describeValue} className="mb-4" />
      ) : null}
      <ItemFields
        form={form}
        change={change}
        errors={errors}
        model={model}
        onModel={(chosen) => {
          if (chosen) setModels((known) => new Map(known).set(chosen.id, chosen))
          change({ stl_file_id: chosen?.id ?? '' })
        }}
        hintOf={(field) =>
          merge?.conflicts.includes(field) ? (
            <OtherValue
              text={describeValue(field, merge.theirs[field])}
              onTake={() => edit.takeTheirs(field)}
            />
          ) : undefined
        }
      />
    </ItemDialog>
  )
}

function withModelOf(known: ReadonlyMap<string, PickedModel>, item: InventoryItem) {
  const model = modelOf(item)
  return model ? new Map(known).set(model.id, model) : known
}
