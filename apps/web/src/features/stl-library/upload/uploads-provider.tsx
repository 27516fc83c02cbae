import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { LISTS_KEY } from '../stl-library.queries.ts'
import { putImport } from './imports/imports.queries.ts'
import { sendModel } from './send-model.ts'
import { createUploadQueue, isModel, isUnderWay, type UploadQueue } from './upload-queue.ts'
import { type Uploads, UploadsContext } from './uploads-context.ts'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { askBeforeSignOut } from '@/lib/session/sign-out.ts'
import { useLeaveWarning } from '@/lib/forms/use-leave-warning.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Asks for confirmation before running uploads are lost by leaving the page or signing out. */
function LeaveGuard({ queue }: { queue: UploadQueue }) {
  const count = useSyncExternalStore(queue.subscribe, () => queue.getJobs().filter(isUnderWay).length)
  const isBusy = count > 0
  useLeaveWarning(isBusy)
  const [answer, setAnswer] = useState<{ give: (isFine: boolean) => void } | null>(null)
  useEffect(() => {
    if (!isBusy) return
    return askBeforeSignOut(() => new Promise((give) => setAnswer({ give })))
  }, [isBusy])
  // If the session ends in the meantime, nobody can answer the question, so the answer is no.
  useEffect(() => () => answer?.give(false), [answer])
  if (!answer) return null
  const close = (isFine: boolean) => {
    answer.give(isFine)
    setAnswer(null)
  }
  return (
    <ConfirmDialog
      title={t('Sign out while files are being uploaded?')}
      keepLabel={t('Stay signed in')}
      confirmLabel={t('Sign out')}
      onConfirm={() => close(true)}
      onClose={() => close(false)}
    >
      {isBusy
        ? t(
            '{count, plural, one {# upload} other {# uploads}} would be stopped. Files that have arrived stay in the library.',
            { count },
          )
        : t('All uploads have finished in the meantime.')}
    </ConfirmDialog>
  )
}

/** Keeps uploads running on every page while the person is signed in. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [importId, open] = useState<string | null>(null)
  const [queue] = useState(() =>
    createUploadQueue({
      send: sendModel,
      onAccepted: (result) => {
        if (isModel(result)) void client.invalidateQueries({ queryKey: LISTS_KEY })
        else putImport(client, result)
      },
    }),
  )
  useEffect(() => () => queue.stop(), [queue])
  const uploads = useMemo<Uploads>(
    () => ({
      queue,
      opened: { importId, open },
      follow: (begun) => {
        putImport(client, begun)
        queue.follow(begun)
      },
    }),
    [queue, client, importId],
  )
  return (
    <UploadsContext value={uploads}>
      {children}
      <LeaveGuard queue={queue} />
    </UploadsContext>
  )
}
