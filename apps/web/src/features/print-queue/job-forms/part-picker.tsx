import { useQuery, useQueryClient } from '@tanstack/react-query'
import { EntityPicker, usePickerSearch } from '@/components/kit/entity-picker.tsx'
import { modelsQuery } from '@/lib/http/models.queries.ts'
import { itemsToPickQuery } from './part-picker.queries.ts'
import { type Printable, printableItem, printableModel } from './printable-models.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

const modelsToPickQuery = (search: string) => modelsQuery({ search, limit: 5 })

interface PartPickerProps {
  part: Printable | null
  onChange: (part: Printable | null) => void
}

/** Picks the item or the model to print. */
export function PartPicker({ part, onChange }: PartPickerProps) {
  const client = useQueryClient()
  const picker = usePickerSearch()
  const { search, isOpen } = picker
  const items = useQuery({ ...itemsToPickQuery(search), enabled: isOpen })
  const models = useQuery({ ...modelsToPickQuery(search), enabled: isOpen })

  /**
   * Finds the first match; items come before models. If one search fails, the result of the other is used, and the list
   * shows the failure.
   */
  const findFirst = async (text: string): Promise<Printable | undefined> => {
    const [foundItems, foundModels] = await Promise.allSettled([
      client.fetchQuery(itemsToPickQuery(text)),
      client.fetchQuery(modelsToPickQuery(text)),
    ])
    const item = foundItems.status === 'fulfilled' ? foundItems.value.items[0] : undefined
    const model = foundModels.status === 'fulfilled' ? foundModels.value.items[0] : undefined
    return item ? printableItem(item) : model && printableModel(model)
  }
  return (
    <EntityPicker
      picker={picker}
      chosen={part}
      onChange={onChange}
      groups={[
        { name: t('Items in stock'), things: (items.data?.items ?? []).map(printableItem) },
        { name: t('Models'), things: (models.data?.items ?? []).map(printableModel) },
      ]}
      isFound={items.isSuccess && models.isSuccess}
      nothingFound={
        search === '' ? (
          t('There are no items and no models yet.')
        ) : (
          <>
            {rich('No item and no model matches {search}.', {
              search: <bdi className="font-medium">“{search}”</bdi>,
            })}
          </>
        )
      }
      findFirst={findFirst}
      placeholder={t('Find an item by name or SKU, or a model')}
      listLabel={t('Found')}
      clearLabel={t('Choose another')}
      isFirst
    />
  )
}
