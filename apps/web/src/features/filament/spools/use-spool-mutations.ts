import type { Spool } from '@pegasus/contracts/filament/spools'
import {
  archiveSpool,
  deleteSpool,
  drySpool,
  restoreSpool,
  unarchiveSpool,
  updateSpool,
} from '@pegasus/contracts/filament/spool-changes'
import { useMutation } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { trashTexts, useTrashMutations } from '@/components/use-trash-mutations.ts'
import { useSpoolRefresh } from '../filament.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The one-click actions of a spool. Each success shows a toast, with Undo if the action can be undone. */
export function useSpoolMutations() {
  const refresh = useSpoolRefresh()
  const handlers = { onError: toastError, onSettled: () => refresh() }

  const { remove, restore } = useTrashMutations<Spool>({
    remove: (id) => callApi(deleteSpool, { params: { id } }),
    restore: (id) => callApi(restoreSpool, { params: { id } }),
    ...trashTexts(({ label_code: code }) => code),
    refresh,
  })
  const unarchive = useMutation({
    mutationFn: ({ id }: Spool) => callApi(unarchiveSpool, { params: { id } }),
    onSuccess: (spool) => {
      refresh(spool)
      toast({
        title: t('{label_code} is in use again', { label_code: spool.label_code }),
        action: { label: t('Undo'), onSelect: () => archive.mutate(spool) },
      })
    },
    ...handlers,
  })
  const archive = useMutation({
    mutationFn: ({ id }: Spool) => callApi(archiveSpool, { params: { id } }),
    onSuccess: (spool) => {
      refresh(spool)
      toast({
        title: t('{label_code} archived', { label_code: spool.label_code }),
        action: { label: t('Undo'), onSelect: () => unarchive.mutate(spool) },
      })
    },
    ...handlers,
  })
  const undry = useMutation({
    mutationFn: ({ after, before }: { after: Spool; before: Spool }) =>
      callApi(updateSpool, {
        params: { id: after.id },
        body: { dried_at: before.dried_at },
        headers: ifMatch(after.revision),
      }),
    onSuccess: refresh,
    ...handlers,
  })
  const dry = useMutation({
    mutationFn: ({ id }: Spool) => callApi(drySpool, { params: { id }, body: {} }),
    onSuccess: (after, before) => {
      refresh(after)
      toast({
        title: t('{label_code} dried just now', { label_code: after.label_code }),
        action: { label: t('Undo'), onSelect: () => undry.mutate({ after, before }) },
      })
    },
    ...handlers,
  })
  return { archive, unarchive, dry, remove, restore }
}
