import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { useQuery } from '@tanstack/react-query'
import { EntityPicker, type PickedEntity, usePickerSearch } from '@/components/kit/entity-picker.tsx'
import { modelsQuery } from '@/lib/http/models.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const RESULT_LIMIT = 6

export type PickedModel = PickedEntity

/** Returns the model that an item is made from; null if it has no model. */
export const modelOf = ({
  stl_file_id: id,
  stl_file_title: title,
  stl_thumbnail_path: picture,
}: InventoryItem): PickedModel | null => (id ? { id, name: title ?? id, picture } : null)

interface ModelPickerProps {
  model: PickedModel | null
  onChange: (model: PickedModel | null) => void
}

/** Picks a model from the library. */
export function ModelPicker({ model, onChange }: ModelPickerProps) {
  const picker = usePickerSearch()
  const { search, isOpen } = picker
  const { data, isSuccess } = useQuery({ ...modelsQuery({ search, limit: RESULT_LIMIT }), enabled: isOpen })
  const things = (data?.items ?? []).map(({ id, title, thumbnail_path: picture }) => ({
    id,
    name: title,
    picture,
  }))
  return (
    <EntityPicker
      picker={picker}
      chosen={model}
      onChange={onChange}
      groups={[{ things }]}
      isFound={isSuccess}
      nothingFound={search === '' ? t('There are no models yet.') : t('No model matches.')}
      placeholder={t('Find in the library')}
      listLabel={t('Models found')}
      clearLabel={t('Remove the model')}
      isCompact
    />
  )
}
