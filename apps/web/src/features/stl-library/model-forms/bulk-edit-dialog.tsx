import { LICENSE_TYPES } from '@pegasus/contracts/stl-library/licenses'
import type { ListedModel } from '@pegasus/contracts/stl-library/models'
import type { BulkEditBody, BulkEditResult } from '@pegasus/contracts/stl-library/model-changes'
import { useState } from 'react'
import { FailedRows } from '@/components/selection/failed-rows.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import type { Selection } from '@/components/selection/use-selection.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { MaterialInput } from '../fields/material-input.tsx'
import { TagField } from '../fields/tag-field.tsx'
import { useBulkEdit } from './model-mutations.ts'
import { readSale, SALE_OPTIONS } from './sale-select.ts'
import { LICENSE_OPTIONS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The initial form. An empty field changes nothing. */
const UNCHANGED = {
  license: '',
  sale: '',
  material: '',
  clearsMaterial: false,
  added: [] as string[],
  removed: [] as string[],
}
type BulkForm = typeof UNCHANGED

type Change = Omit<BulkEditBody, 'ids' | 'revisions'>

/** Returns the change that the form describes; null if it changes nothing. */
function changeOf(form: BulkForm): Change | null {
  const license = LICENSE_TYPES.find((each) => each === form.license)
  const sale = readSale(form.sale)
  const change: Change = {
    ...(license && { license_type: license }),
    ...(sale !== undefined && { sale_allowed: sale }),
    ...(form.material.trim() && { print_material: form.material.trim() }),
    ...(form.clearsMaterial && { print_material: null }),
    ...(form.added.length > 0 && { add_tags: form.added }),
    ...(form.removed.length > 0 && { remove_tags: form.removed }),
  }
  return Object.keys(change).length > 0 ? change : null
}

interface BulkEditDialogProps {
  selection: Selection<ListedModel>
  onClose: () => void
}

/**
 * Edits all selected models. The dialog stays open if some models could not be changed, or if somebody else has changed
 * some of them since they were selected. If the person then confirms, those are changed too.
 */
export function BulkEditDialog({ selection, onClose }: BulkEditDialogProps) {
  const { things, keep, update } = selection
  const [form, setForm] = useState(UNCHANGED)
  const [error, setError] = useState<string | null>(null)
  const [failed, setFailed] = useState<BulkEditResult['failed']>([])
  const bulk = useBulkEdit()
  const change = (part: Partial<BulkForm>) => setForm((now) => ({ ...now, ...part }))
  const handleSubmit = () => {
    const body = changeOf(form)
    if (!body) return setError(t('Please choose what to change.'))
    setError(null)
    bulk.mutate(
      {
        ids: [...things.keys()],
        revisions: Object.fromEntries([...things].map(([id, { revision }]) => [id, revision])),
        ...body,
      },
      {
        onSuccess: (result) => {
          if (result.changed.length > 0)
            toast({
              title: t('{changed, plural, one {# model} other {# models}} changed', {
                changed: result.changed.length,
              }),
            })
          setFailed(result.failed)
          // The person has seen the conflicts, so make the same change anyway.
          update((model) => ({ ...model, revision: result.revisions[model.id] ?? model.revision }))
          if (result.failed.length === 0) return onClose()
          keep(result.failed.map(({ id }) => id))
        },
        onError: (failure) => setError(errorMessage(failure, t('That did not work. Please try again.'))),
      },
    )
  }
  const isOthers = failed.some(({ code }) => code === 'changed_meanwhile')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('Edit {things, plural, one {# model} other {# models}}', { things: things.size })}
      description={t('Empty fields stay unchanged.')}
      error={error}
      hasChanges={changeOf(form) !== null}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" isPending={bulk.isPending}>
            {isOthers ? t('Apply anyway') : t('Save')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
        <FailedRows
          one="model"
          failed={failed}
          nameOf={(id) => things.get(id)?.title ?? id}
          className="col-span-full"
        />
        <Field label={t('License')}>
          <Select value={form.license} onChange={(event) => change({ license: event.target.value })}>
            <option value="">{t('Leave unchanged')}</option>
            <Options of={LICENSE_OPTIONS} />
          </Select>
        </Field>
        <Field label={t('Selling prints')} hint={t('Applies only if the license is Custom.')}>
          <Select value={form.sale} onChange={(event) => change({ sale: event.target.value })}>
            <option value="">{t('Leave unchanged')}</option>
            <Options of={SALE_OPTIONS.map(({ value, label }) => ({ value, label }))} />
          </Select>
        </Field>
        <Field label={t('Add tags')} className="col-span-full">
          <TagField tags={form.added} onChange={(added) => change({ added })} />
        </Field>
        <Field label={t('Remove tags')} className="col-span-full">
          <TagField tags={form.removed} onChange={(removed) => change({ removed })} isCounted />
        </Field>
        <Field label={t('Print material')}>
          <MaterialInput
            value={form.material}
            onChange={(material) => change({ material, clearsMaterial: false })}
          />
        </Field>
        <Checkbox
          label={t('Remove the material')}
          checked={form.clearsMaterial}
          onChange={(event) => change({ clearsMaterial: event.target.checked, material: '' })}
          className="self-end sm:mb-1.5"
        />
      </div>
    </Dialog>
  )
}
