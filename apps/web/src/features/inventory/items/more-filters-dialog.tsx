import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import type { InventoryFilters } from '../inventory-address.ts'
import { materialsQuery } from '../item-forms/material-suggestions.ts'
import { ModelPicker, type PickedModel } from '../item-forms/model-picker.tsx'
import { FieldSuggestions } from '../../../components/fields/field-suggestions.tsx'
import { locationsQuery } from '../locations/locations.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface MoreFiltersDialogProps {
  applied: InventoryFilters
  onApply: (part: Partial<InventoryFilters>) => void
  onClose: () => void
}

/** Filters by location, material and model. */
export function MoreFiltersDialog({ applied, onApply, onClose }: MoreFiltersDialogProps) {
  const [location, setLocation] = useState(applied.location)
  const [material, setMaterial] = useState(applied.material)
  const [model, setModel] = useState<PickedModel | null>(() =>
    applied.model === '' ? null : { id: applied.model, name: t('The chosen model'), picture: null },
  )
  const locations = useQuery(locationsQuery)
  const materials = useQuery(materialsQuery)
  return (
    <FormDialog
      state={{
        failure: null,
        isPending: false,
        hasChanges: false,
        submit: async () => {
          onApply({ location, material, model: model?.id ?? '' })
          onClose()
        },
      }}
      submitLabel={t('Show items')}
      extraButtons={
        <Button
          variant="ghost"
          onClick={() => {
            setLocation('')
            setMaterial('')
            setModel(null)
          }}
        >
          {t('Clear')}
        </Button>
      }
      onClose={onClose}
      title={t('More filters')}
      size="sm"
    >
      {/* The padding leaves space for the suggestions of the last field. */}
      <div className="flex flex-col gap-4 pb-24">
        <Field label={t('Location')} hint={t('Includes locations inside it.')}>
          <Select value={location} onChange={(event) => setLocation(event.target.value)}>
            <option value="">{t('Any')}</option>
            <Options of={(locations.data?.items ?? []).map(({ id, path }) => ({ value: id, label: path }))} />
          </Select>
        </Field>
        <Field label={t('Material')}>
          <FieldSuggestions options={materials.data ?? []}>
            {(list) => (
              <Input
                value={material}
                list={list}
                maxLength={100}
                autoComplete="off"
                onChange={(event) => setMaterial(event.target.value)}
              />
            )}
          </FieldSuggestions>
        </Field>
        <Field label={t('Made from')}>
          <ModelPicker model={model} onChange={setModel} />
        </Field>
      </div>
    </FormDialog>
  )
}
