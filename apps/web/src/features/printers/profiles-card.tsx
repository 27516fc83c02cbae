import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { hasRole } from '@pegasus/contracts/roles'
import {
  deleteSlicerProfile,
  restoreSlicerProfile,
  type SlicerProfile,
} from '@pegasus/contracts/slices/slicing'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { AddProfileArea } from '@/components/slicer-profiles/add-profile-area.tsx'
import { profilesQuery } from '@/components/slicer-profiles/profiles.queries.ts'
import { toastError } from '@/components/toast-error.ts'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { formatCount } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/**
 * Normalizes the name of a printer model for comparison, because slicers write the same model in several
 * ways: `Original Prusa MK4S`, `MK4S`.
 */
const keyOf = (model: string | null): string =>
  (model ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '')
    .replace(/^(original)?(prusa)?/, '')

/** Shows the slicer profiles for this printer's model. Renders nothing if the server has no slicer. */
export function ProfilesCard({ printer }: { printer: Printer }) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const { data } = useQuery(profilesQuery)
  const remove = useRemoveProfile()
  if (!data?.is_available) return null
  const own = data.profiles.filter(
    ({ printer_model: model }) => model === null || keyOf(model) === keyOf(printer.model),
  )
  if (own.length === 0 && !canChange) return null
  return (
    <Card title={t('Slicer profiles')} aside={own.length > 0 ? own.length : null}>
      <ul className="divide-y divide-line">
        {own.map((profile) => (
          <li key={profile.id} className="flex items-center gap-3 px-4 py-2">
            <div className="min-w-0 flex-1">
              <bdi className="block truncate font-medium">{profile.name}</bdi>
              <p className="text-caption text-ink-3">{factsOf(profile)}</p>
            </div>
            {canChange ? (
              <IconButton
                size="sm"
                label={t('Delete the profile {name}', { name: profile.name })}
                onClick={() => remove.mutate(profile)}
              >
                <Trash2 size={14} strokeWidth={1.75} aria-hidden />
              </IconButton>
            ) : null}
          </li>
        ))}
      </ul>
      {canChange ? <AddProfileArea printerModel={printer.model} className="m-4" /> : null}
    </Card>
  )
}

const factsOf = ({ nozzle_mm, layer_height_mm, material }: SlicerProfile): string =>
  joinFacts([
    nozzle_mm === null ? null : t('{nozzle_mm} mm nozzle', { nozzle_mm: formatCount(nozzle_mm) }),
    layer_height_mm === null
      ? null
      : t('{layer_height_mm} mm layers', { layer_height_mm: formatCount(layer_height_mm) }),
    material,
  ])

/** Deletes a profile immediately, with Undo in the toast. */
function useRemoveProfile() {
  const client = useQueryClient()
  const settle = { onError: toastError, onSettled: () => client.invalidateQueries(profilesQuery) }
  const restore = useMutation({
    mutationFn: ({ id }: SlicerProfile) => callApi(restoreSlicerProfile, { params: { id } }),
    ...settle,
  })
  const remove = useMutation({
    mutationFn: ({ id }: SlicerProfile) => callApi(deleteSlicerProfile, { params: { id } }),
    onSuccess: (_, profile) =>
      toast({
        title: t('“{name}” is deleted', { name: profile.name }),
        action: { label: t('Undo'), onSelect: () => restore.mutate(profile) },
      }),
    ...settle,
  })
  return remove
}
