import {
  startSlicingBody,
  type SlicerProfile,
  type StartSlicingBody,
} from '@pegasus/contracts/slices/slicing'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { useQuery } from '@tanstack/react-query'
import { AddProfileArea } from '@/components/slicer-profiles/add-profile-area.tsx'
import { profilesQuery } from '@/components/slicer-profiles/profiles.queries.ts'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { useSlicing } from './slicing.queries.ts'
import { formatCount } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

type SliceField = 'profile_id' | 'pieces'

const readSlice = (form: FormText<SliceField>): ReadResult<StartSlicingBody, SliceField> =>
  readResult(startSlicingBody.safeParse({ ...form, pieces: typedNumber(form.pieces) ?? 0 }), form)

/** Describes a profile: `MK4S draft · MK4S · 0.4 mm nozzle · PLA`. */
const labelOf = ({ name, printer_model, nozzle_mm, material }: SlicerProfile): string =>
  joinFacts([
    name,
    printer_model,
    nozzle_mm === null ? null : t('{nozzle_mm} mm nozzle', { nozzle_mm: formatCount(nozzle_mm) }),
    material,
  ])

/** Slices the current version on the server, with a profile that is selected or added here. */
export function SliceDialog({ model, onClose }: { model: Model; onClose: () => void }) {
  const { data } = useQuery(profilesQuery)
  const profiles = data?.profiles ?? []
  const { start } = useSlicing(model.id)
  const state = useNewForm({
    start: { profile_id: profiles[0]?.id ?? '', pieces: '1' },
    read: readSlice,
    create: async (body) => {
      await start.mutateAsync(body)
      onClose()
    },
  })
  const { bind, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel={t('Slice')}
      onClose={onClose}
      title={t('Slice on the server')}
      description={t('The result is a sliced file of the current version.')}
      size="sm"
    >
      <div className="flex flex-col gap-4">
        <Field label={t('Profile')} isRequired error={errors.profile_id}>
          <Select {...bind('profile_id')}>
            <option value="">{profiles.length === 0 ? t('No profile yet') : t('Choose a profile')}</option>
            <Options of={profiles.map((profile) => ({ value: profile.id, label: labelOf(profile) }))} />
          </Select>
        </Field>
        <AddProfileArea onAdded={({ id }) => state.change({ profile_id: id })} />
        <Field label={t('Pieces')} isRequired error={errors.pieces} hint={t('On one plate')}>
          <Input {...bind('pieces')} inputMode="numeric" />
        </Field>
      </div>
    </FormDialog>
  )
}
