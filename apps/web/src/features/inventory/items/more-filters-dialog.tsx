import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import type { InventoryFilters } from '../inventory-address.ts'
import { materialsQuery } from '../item-forms/material-suggestions.ts'
import { ModelPicker, type PickedModel } from '../item-forms/model-picker.tsx'
import { Offered } from './field-suggestions.tsx'
import { locationsQuery } from '../locations/locations.queries.ts'

interface MoreFiltersDialogProps {
  applied: InventoryFilters
  onApply: (part: Partial<InventoryFilters>) => void
  onClose: () => void
}

/** Where items lie, what they are of and what they are made from. */
export function MoreFiltersDialog({ applied, onApply, onClose }: MoreFiltersDialogProps) {
  const [location, setLocation] = useState(applied.location)
  const [material, setMaterial] = useState(applied.material)
  const [model, setModel] = useState<PickedModel | null>(() =>
    applied.model === '' ? null : { id: applied.model, name: 'The chosen model', picture: null },
  )
  const places = useQuery(locationsQuery)
  const materials = useQuery(materialsQuery)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="More filters"
      size="sm"
      onSubmit={() => {
        onApply({ location, material, model: model?.id ?? '' })
        onClose()
      }}
      footer={
        <>
          <Button
            variant="ghost"
            onClick={() => {
              setLocation('')
              setMaterial('')
              setModel(null)
            }}
          >
            Clear
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Show items
          </Button>
        </>
      }
    >
      {/* Room below for what the last field offers. */}
      <div className="flex flex-col gap-4 pb-24">
        <Field label="Location" hint="Includes locations inside it.">
          <Select value={location} onChange={(event) => setLocation(event.target.value)}>
            <option value="">Any</option>
            {(places.data?.items ?? []).map(({ id, path }) => (
              <option key={id} value={id}>
                {path}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Material">
          <Offered options={materials.data ?? []}>
            {(list) => (
              <Input
                value={material}
                list={list}
                maxLength={100}
                autoComplete="off"
                onChange={(event) => setMaterial(event.target.value)}
              />
            )}
          </Offered>
        </Field>
        <Field label="Made from">
          <ModelPicker model={model} onChange={setModel} />
        </Field>
      </div>
    </Dialog>
  )
}
