import { createSlicerProfile, type SlicerProfile } from '@pegasus/contracts/slices/slicing'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DropArea } from '@/components/drop-area.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { profilesQuery } from './profiles.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface AddProfileAreaProps {
  /** The printer model that the profile is for. Without it, the profile's own settings determine the model. */
  printerModel?: string | null
  onAdded?: (profile: SlicerProfile) => void
  className?: string
}

/** Adds an exported config of the slicer as a profile with the same name. */
export function AddProfileArea({ printerModel = null, onAdded, className }: AddProfileAreaProps) {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: async (file: File) => {
      const name = file.name.replace(/\.ini$/i, '').slice(0, 100)
      const model = printerModel === null ? {} : { printer_model: printerModel }
      return callApi(createSlicerProfile, { body: { name, settings: await file.text(), ...model } })
    },
    onSuccess: ({ left_out: leftOut, ...profile }) => {
      const { name } = profile
      toast({
        title:
          leftOut.length === 0
            ? t('Added the profile {name}', { name })
            : t('Added the profile {name} without {leftOut, plural, one {# setting} other {# settings}}', {
                name,
                leftOut: leftOut.length,
              }),
      })
      onAdded?.(profile)
    },
    onSettled: () => client.invalidateQueries(profilesQuery),
  })
  return (
    <div className={className}>
      <DropArea
        label={t('Add a profile')}
        accept=".ini"
        isSingle
        isDisabled={add.isPending}
        onFiles={([file]) => file && add.mutate(file)}
      >
        {t('a configuration file that PrusaSlicer exported')}
      </DropArea>
      {add.isError ? (
        <p role="alert" className="mt-1.5 text-label text-red-ink wrap-anywhere">
          {errorMessage(add.error, t('The profile could not be added.'))}
        </p>
      ) : null}
    </div>
  )
}
